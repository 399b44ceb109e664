import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mayBeOurs } from '../src/languages';

const FILES: [string, string, boolean][] = [
  ['a.md', '---\nmessage_section: true\n---\n', true],
  ['a.md', '\uFEFF---\r\ntitle: a\r\nmessage_section: true\r\n---\r\n', true],
  ['a.md', '# Notes on message_section\n', false],
  ['a.md', '---\ntitle: a\n---\n', false],
  ['a.md', '; role: user\n', false],
  ['1.md', '; role: user\n', true],
  ['12.md', 'Block-UUID: 1\n', true],
  ['12.md', 'text\nrole: user\n', true],
  ['12.md', '# Chapter 12\n', false],
];
for (const [name, head, expected] of FILES) {
  it(`${name} ${JSON.stringify(head)}`, () => assert.equal(mayBeOurs(name, head), expected));
}
