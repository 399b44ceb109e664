import assert from 'node:assert/strict';
import { test } from 'node:test';
import MANIFEST from '../package.json';
import { suggestedName, withEnding } from '../src/saving';

const LANGUAGES: { id: string; extensions?: string[] }[] = MANIFEST.contributes.languages;

test('a typed name gets the ending that keeps the file ours', () => {
  for (const [typed, language, name] of [
    ['trip', 'msgmd', 'trip.msg.md'],
    ['trip.md', 'msgmd', 'trip.msg.md'],
    ['trip.msg', 'msgmd', 'trip.msg.md'],
    ['trip.msg.md', 'msgmd', 'trip.msg.md'],
    ['Trip.MSG.MD', 'msgmd', 'Trip.MSG.MD'],
    ['v1.2', 'msgmd', 'v1.2.msg.md'],
    ['.md', 'msgmd', '.md.msg.md'],
    ['reise 旅行', 'msgmd', 'reise 旅行.msg.md'],
    ['trip', 'stf', 'trip.stf'],
    ['trip.json', 'msgjson', 'trip.messages.json'],
    ['trip.deltas.jsonl', 'msgjson', 'trip.deltas.jsonl'],
    ['1.md', 'chatbuilder', '1.md'],
  ] as const) {
    const endings = LANGUAGES.find(({ id }) => id === language)?.extensions ?? [];
    assert.equal(withEnding(typed, endings), name);
  }
});

test('the title of the first cell is suggested, as far as it can be a name', () => {
  for (const [text, name] of [
    ['# %% Plan the trip[^m1]\n\n[^m1]: [markdown]\n', 'Plan the trip'],
    ['# %% Plan the trip [^m1] \r\n', 'Plan the trip'],
    ['---\nagents: {}\n---\n\n## %%% What? a/b: "c"[^a1]\n', 'What a b c'],
    ['# %% 旅行[^m1]\n', '旅行'],
    ['# %% ../../etc[^m1]\n', 'etc'],
    ['# %% [^m1]\n\nHello\n', 'conversation'],
    ['# %%%% no[^m1]\n', 'conversation'],
    ['', 'conversation'],
    [`# %% ${'long '.repeat(40)}[^m1]\n`, `${'long '.repeat(12).trim()}`],
  ] as const) {
    assert.equal(suggestedName(text), name);
  }
});
