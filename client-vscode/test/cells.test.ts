import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cellAt, cellsOf, type Told } from '../src/cells';

const TOLD: Told = {
  version: 1,
  cells: [
    { line: 4, kind: 'message' },
    { line: 8, kind: 'answer' },
    { line: 12, kind: 'answer' },
  ],
};

it('a line is in the last cell that starts before it', () => {
  const cells = cellsOf(TOLD, 20);
  const firsts = [0, 3, 4, 7, 8, 11, 12, 99].map((line) => cellAt(cells, line)?.first);
  assert.deepEqual(firsts, [undefined, undefined, 4, 4, 8, 8, 12, 12]);
  assert.equal(cellAt([], 3), undefined);
});

it('a cell ends before the next one, and the last one with the document', () => {
  const ends = cellsOf(TOLD, 20).map(({ first, last }) => [first, last]);
  assert.deepEqual(ends, [
    [4, 7],
    [8, 11],
    [12, 19],
  ]);
});
