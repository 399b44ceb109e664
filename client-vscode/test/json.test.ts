import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownCompletion, ownOutline } from '../src/json';

const ours = { languageId: 'msgmd' };
const json = { languageId: 'json' };
const isOurs = ({ languageId }: { languageId: string }) => languageId === 'msgmd';
const ITEMS = [
  { label: 'name', data: { isPlain: true } },
  { label: 'path', data: { topic: ['key', 'path'] } },
  { label: 'true' },
];

// biome-ignore lint/suspicious/noExplicitAny: a document is what it says of its language here.
type Any = any;

function outlined(document: object): unknown {
  return ownOutline(isOurs as Any)(document as Any, {} as Any, (() => ['symbol']) as Any);
}

async function completed(document: object, found: unknown): Promise<unknown> {
  const complete = ownCompletion(isOurs as Any) as Any;
  return complete(document, {}, {}, {}, async () => found);
}

test('the outline of JSON is left to VS Code', () => {
  assert.deepEqual(outlined(ours), ['symbol']);
  assert.deepEqual(outlined(json), []);
});

test('what the JSON service offers is offered once', async () => {
  assert.deepEqual(await completed(json, ITEMS), ITEMS.slice(1));
  assert.deepEqual(await completed(json, { isIncomplete: true, items: ITEMS }), {
    isIncomplete: true,
    items: ITEMS.slice(1),
  });
  assert.equal(await completed(json, null), null);
});

test('in our own languages nothing is left out', async () => {
  assert.deepEqual(await completed(ours, ITEMS), ITEMS);
});
