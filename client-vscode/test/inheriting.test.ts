import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inherited, type Values } from '../src/inheriting';

const OURS = new Set(['editor.quickSuggestions', 'editor.wordWrap']);

function carried(source: Values, own: Values, wrote: Values = {}) {
  return inherited(source, own, wrote, OURS);
}

test('what is set for Markdown and not for the language is written', () => {
  const rulers = { 'editor.rulers': [80], 'editor.wordWrap': 'off' };
  assert.deepEqual(carried(rulers, {}), { changes: rulers, wrote: rulers });
});

test('what is set for the language stays', () => {
  const { changes, wrote } = carried({ 'editor.rulers': [80] }, { 'editor.rulers': [] });
  assert.deepEqual([changes, wrote], [{}, {}]);
});

test('what keeps suggestions from taking keys stays', () => {
  assert.deepEqual(carried({ 'editor.quickSuggestions': true }, {}).changes, {});
});

test('a copy follows, and goes when its source goes', () => {
  const old = { 'editor.rulers': [80] };
  const now = { 'editor.rulers': [100] };
  assert.deepEqual(carried(now, old, old), { changes: now, wrote: now });
  assert.deepEqual(carried({}, old, old), { changes: { 'editor.rulers': undefined }, wrote: {} });
  assert.deepEqual(carried(old, old, old), { changes: {}, wrote: old });
});

test('a copy that somebody changed or took away is theirs', () => {
  const old = { 'editor.rulers': [80] };
  const now = { 'editor.rulers': [100] };
  assert.deepEqual(carried(now, { 'editor.rulers': [1] }, old), { changes: {}, wrote: old });
  assert.deepEqual(carried(now, {}, old), { changes: {}, wrote: old });
  assert.deepEqual(carried({}, { 'editor.rulers': [1] }, old), { changes: {}, wrote: {} });
});
