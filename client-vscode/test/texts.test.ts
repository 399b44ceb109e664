import assert from 'node:assert/strict';
import test from 'node:test';
import { english, phrase, say } from '../src/texts';

const REASON = phrase('there is no `{name}`', { name: '{x}' });
const MESSAGE = phrase('it does not start: {reason} ({count})', { reason: REASON, count: 2 });

test('a phrase is said in English, with the phrases in it', () => {
  assert.equal(english(MESSAGE), 'it does not start: there is no `{x}` (2)');
});

test('what is no phrase stays as it is, and so does what nobody gave', () => {
  assert.equal(english('{name}'), '{name}');
  assert.equal(english(phrase('{name}')), '{name}');
  assert.equal(say('{name}'), '{name}');
});

test('a phrase is translated, and first the phrases in it', () => {
  assert.equal(say(MESSAGE), '<it does not start: <there is no `{x}`> (2)>');
});
