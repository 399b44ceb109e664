import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEnter, moved } from '../src/changes';

const enter = { rangeOffset: 12, rangeLength: 0, text: '\n' };

test('Enter is a line break, and nothing else', () => {
  assert.ok(isEnter([enter]));
  assert.ok(isEnter([{ ...enter, text: '\r\n' }]));
  assert.ok(!isEnter([]));
  assert.ok(!isEnter([enter, enter]));
  assert.ok(!isEnter([{ ...enter, text: '\nHi\n' }]));
  assert.ok(!isEnter([{ ...enter, rangeLength: 3 }]));
});

test('a place moves with what is typed before it', () => {
  assert.equal(moved(10, [{ rangeOffset: 10, rangeLength: 0, text: 'ab' }]), 12);
  assert.equal(moved(10, [{ rangeOffset: 2, rangeLength: 3, text: '' }]), 7);
  assert.equal(moved(10, [{ rangeOffset: 11, rangeLength: 5, text: 'x' }]), 10);
  assert.equal(moved(10, [{ rangeOffset: 8, rangeLength: 5, text: '' }]), undefined);
});
