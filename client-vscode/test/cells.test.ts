import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellLines, cellNumberAt, cellStarts, type Outlined, shifted } from '../src/cells';

const [MESSAGE, ANSWER, HEADING, FRONTMATTER] = [7, 4, 14, 2];

function symbol(kind: number, line: number, ...children: Outlined[]): Outlined {
  return { kind, range: { start: { line } }, children };
}

const OUTLINE = [
  symbol(FRONTMATTER, 0),
  symbol(MESSAGE, 4, symbol(HEADING, 6), symbol(ANSWER, 8)),
  symbol(ANSWER, 12),
];
const STARTS = cellStarts(OUTLINE);

it('cells are found at every depth, in order, and nothing else is one', () => {
  assert.deepEqual(STARTS, [
    { line: 4, kind: 'message' },
    { line: 8, kind: 'answer' },
    { line: 12, kind: 'answer' },
  ]);
});

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

describe('an edit moves the cells below it', () => {
  const lines = (first: number, last: number, added: number) =>
    shifted(STARTS, first, last, added).map(({ line }) => line);

  it('typing within a line moves none', () => assert.equal(shifted(STARTS, 5, 5, 0), STARTS));
  it('a new line', () => assert.deepEqual(lines(5, 5, 1), [4, 9, 13]));
  it('a new line behind a header', () => assert.deepEqual(lines(8, 8, 2), [4, 8, 14]));
  it('lines that go', () => assert.deepEqual(lines(5, 7, 0), [4, 6, 10]));
  it('a cell that goes', () => assert.deepEqual(lines(7, 12, 0), [4, 7]));
});
