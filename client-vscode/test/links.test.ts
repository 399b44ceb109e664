import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressIn, canBeLinked, fileLink, isInFence, linkTo, pictureEnding } from '../src/links';

test('an address is one, and nothing else', () => {
  for (const text of ['https://example.org/a?b=c#d', ' http://x.y\n', 'mailto:a@b.c']) {
    assert.equal(addressIn(text), text.trim());
  }
  for (const text of ['', 'see https://x.y', 'https://x.y and', 'a:b', 'javascript:alert(1)']) {
    assert.equal(addressIn(text), undefined);
  }
});

test('words become a link, and code, links and addresses do not', () => {
  assert.ok(canBeLinked('the docs', 'See '));
  assert.ok(canBeLinked('文档', '`code` '));
  for (const [selected, before] of [
    ['', ''],
    ['two\nlines', ''],
    ['https://x.y', ''],
    ['[a](b)', ''],
    ['code', 'in `'],
    ['target', '[a]('],
  ] as const) {
    assert.ok(!canBeLinked(selected, before), selected);
  }
});

test('a fence is code until it is closed', () => {
  assert.ok(isInFence(['text', '```python', 'x = 1']));
  assert.ok(isInFence(['````', '```']));
  assert.ok(isInFence(['- ~~~', '# %% no cell']));
  assert.ok(!isInFence(['```', 'x', '```', 'text']));
  assert.ok(!isInFence(['# %% A cell[^m1]', 'text']));
});

test('a file is linked as it is seen from the document', () => {
  assert.equal(fileLink('/w/talk.msg.md', '/w/notes.md'), '[notes.md](notes.md)');
  assert.equal(
    fileLink('/w/a/talk.msg.md', '/w/pics/my garden (1).png'),
    '![](../pics/my%20garden%20%281%29.png)',
  );
  assert.equal(linkTo('https://x.y/a(b)', 'it'), '[it](<https://x.y/a(b)>)');
});

test('pictures have the ending of their kind', () => {
  assert.deepEqual(
    ['image/png', 'image/jpeg', 'image/svg+xml', 'text/plain', 'image/x-icon'].map(pictureEnding),
    ['.png', '.jpg', '.svg', undefined, undefined],
  );
});
