import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CellStart, cellLines, cellNumberAt } from '../src/cells';

const STARTS: CellStart[] = [
  { line: 4, kind: 'message' },
  { line: 8, kind: 'answer' },
  { line: 12, kind: 'answer' },
];

it('a line is in the last cell that starts before it', () => {
  const numbers = [0, 3, 4, 7, 8, 11, 12, 99].map((line) => cellNumberAt(STARTS, line));
  assert.deepEqual(numbers, [-1, -1, 0, 0, 1, 1, 2, 2]);
  assert.equal(cellNumberAt([], 3), -1);
});

it('a cell ends before the next one, and the last one with the document', () => {
  assert.deepEqual(cellLines(STARTS, 0, 20), { first: 4, last: 7 });
  assert.deepEqual(cellLines(STARTS, 2, 20), { first: 12, last: 19 });
  assert.equal(cellLines(STARTS, -1, 20), undefined);
  assert.equal(cellLines(STARTS, 2, 10), undefined);
});
