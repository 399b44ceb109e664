import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEnter, moved, type OwnChange, Written } from '../src/written';

const insert = (rangeOffset: number, text: string): OwnChange => ({
  rangeOffset,
  rangeLength: 0,
  text,
  old: '',
});
const remove = (rangeOffset: number, rangeLength: number) => ({
  rangeOffset,
  rangeLength,
  text: '',
});

test('what is written at a stretch is one piece and one step', () => {
  const written = new Written();
  written.write([insert(10, 'Hello')]);
  written.write([insert(15, ' you')]);
  assert.deepEqual(written.pieces, [{ start: 10, end: 19, old: '' }]);
  assert.equal(written.end, 19);
  assert.ok(!written.isUndoneInPart([remove(10, 9)]));
});

test('what others type moves it, and is not part of it', () => {
  const written = new Written();
  written.write([insert(10, 'Hello')]);
  written.follow([insert(0, 'ab')]);
  written.follow([insert(12, 'cd')]);
  written.follow([insert(19, 'ef')]);
  assert.deepEqual(written.pieces, [{ start: 14, end: 19, old: '' }]);
  written.follow([remove(17, 4)]);
  assert.deepEqual(written.pieces, [{ start: 14, end: 17, old: '' }]);
  written.follow([remove(12, 4)]);
  assert.deepEqual(written.pieces, [{ start: 12, end: 13, old: '' }]);
});

test('after somebody typed, undo takes back a part', () => {
  const written = new Written();
  written.write([insert(10, 'Hello')]);
  written.follow([insert(30, 'x')]);
  assert.ok(!written.isTop);
  written.write([insert(15, ' you')]);
  assert.ok(written.isUndoneInPart([remove(15, 4)]));
  assert.ok(!written.isUndoneInPart([remove(15, 3)]));
  assert.ok(!written.isUndoneInPart([remove(2, 4)]));
});

test('what was replaced is known', () => {
  const written = new Written();
  written.write([
    { rangeOffset: 4, rangeLength: 2, text: 'much longer', old: 'ab' },
    insert(20, 'Hello'),
  ]);
  assert.deepEqual(
    written.pieces.sort((a, b) => a.start - b.start),
    [
      { start: 4, end: 15, old: 'ab' },
      { start: 29, end: 34, old: '' },
    ],
  );
  assert.equal(written.end, 34);
});

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
