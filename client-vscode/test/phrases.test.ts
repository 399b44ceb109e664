import assert from 'node:assert/strict';
import test from 'node:test';
import { english, phrase, said } from '../src/phrases';

const REASON = phrase('there is no `{name}`', { name: '{x}' });
const MESSAGE = phrase('it does not start: {reason} ({count})', { reason: REASON, count: 2 });

test('a phrase is said in English, with the phrases in it', () => {
  assert.equal(english(MESSAGE), 'it does not start: there is no `{x}` (2)');
});

test('what is no phrase stays as it is, and so does what nobody gave', () => {
  assert.equal(english('{name}'), '{name}');
  assert.equal(english(phrase('{name}')), '{name}');
});

test('whoever translates gets templates, and arguments that are translated already', () => {
  const asked: unknown[] = [];
  const translated = said(MESSAGE, (template, args) => {
    asked.push([template, args]);
    return `<${args.name ?? args.reason}>`;
  });
  assert.equal(translated, '<<{x}>>');
  assert.deepEqual(asked, [
    ['there is no `{name}`', { name: '{x}' }],
    ['it does not start: {reason} ({count})', { reason: '<{x}>', count: 2 }],
  ]);
});
