import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBegunName, mayOpen } from '../src/completing';

test('a name that is begun and not closed', () => {
  const definition = '[^m1]: [markdown] role="';
  for (const before of ['see [^a', '# %% T[^m', '[^m1]: [mark', `${definition}u`]) {
    assert.ok(isBegunName(before), before);
  }
  for (const before of ['see [^', '[^m1]', '[^m1]: a', '[^m1]: [', definition, `${definition}u"`]) {
    assert.ok(!isBegunName(before), before);
  }
  assert.ok(!isBegunName('[^m1]: [markdown] role=u'));
});

test('in JSON, a quote alone opens a list', () => {
  const opening = (language: string) =>
    [undefined, '"', '\n', '[', ' '].filter((it) => mayOpen(language, it));
  assert.deepEqual(opening('json'), [undefined, '"']);
  assert.deepEqual(opening('msgjson'), [undefined, '"']);
  assert.equal(opening('msgmd').length, 5);
});
