import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBegunName, isEnterBehindHeader, moved } from '../src/typing';

const enter = { rangeOffset: 12, rangeLength: 0, text: '\n' };

test('Enter behind a header with an id', () => {
  for (const line of ['# %% T[^m1]', '## %%% [^a.1] ', '\ufeff# %% T [^m1]']) {
    assert.ok(isEnterBehindHeader([enter], line), line);
    assert.ok(isEnterBehindHeader([{ ...enter, text: '\r\n' }], line), line);
  }
  for (const line of ['# %% T', '# T[^m1]', '# %% T[^m1', '# %%%% T[^m1]', '# %% [^m1] x', '']) {
    assert.ok(!isEnterBehindHeader([enter], line), line);
  }
});

test('another change is not Enter', () => {
  const line = '# %% T[^m1]';
  assert.ok(!isEnterBehindHeader([], line));
  assert.ok(!isEnterBehindHeader([enter, enter], line));
  assert.ok(!isEnterBehindHeader([{ ...enter, text: '\nHi\n' }], line));
  assert.ok(!isEnterBehindHeader([{ ...enter, rangeLength: 3 }], line));
});

test('a place moves with what is typed before it', () => {
  assert.equal(moved(10, [{ rangeOffset: 10, rangeLength: 0, text: 'ab' }]), 12);
  assert.equal(moved(10, [{ rangeOffset: 2, rangeLength: 3, text: '' }]), 7);
  assert.equal(moved(10, [{ rangeOffset: 11, rangeLength: 5, text: 'x' }]), 10);
  assert.equal(moved(10, [{ rangeOffset: 8, rangeLength: 5, text: '' }]), undefined);
});

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
