import assert from 'node:assert/strict';
import test from 'node:test';
import { english } from '../src/phrases';
import { sourceOfView, tokensLabel, viewAddress } from '../src/viewuri';

test('a view is found by its document, and the other way round', () => {
  const source = 'file:///a%20b/%E5%B0%8F.msg.md';
  const address = viewAddress(source, '/a b/小.msg.md', '模型看到什么');
  assert.equal(address.path, '/模型看到什么 · 小.md');
  assert.equal(sourceOfView(address), source);
  assert.equal(viewAddress('', '/a.stf', 'View').path, '/View · a.stf.md');
  assert.equal(viewAddress('', 'Untitled-1', 'View').path, '/View · Untitled-1.md');
});

test('other documents are no views', () => {
  assert.equal(sourceOfView({ scheme: 'file', path: '/a.md', query: 'file:///a.md' }), undefined);
  assert.equal(sourceOfView({ scheme: 'msgls-view', path: '/a.md', query: '' }), undefined);
});

test('tokens are told with their budget, where there is one', () => {
  assert.equal(english(tokensLabel(12_345, 200_000, true)), '≈ 12,345 / 200,000 tokens');
  assert.equal(english(tokensLabel(7, null, true)), '≈ 7 tokens');
  assert.equal(english(tokensLabel(7, 0, false)), '7 / 0 tokens');
});
