import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Backoff } from '../src/backoff';

it('waits longer each time, and gives up', () => {
  const backoff = new Backoff();
  const delays = [0, 1, 2, 3, 4, 5, 6].map((second) => backoff.crashed(second * 1_000));
  assert.deepEqual(delays, [0, 1_000, 2_000, 4_000, 8_000, undefined, undefined]);
  backoff.reset();
  assert.equal(backoff.crashed(8_000), 0);
});

it('forgets what is long ago', () => {
  const backoff = new Backoff();
  const minutes = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const delays = minutes.map((minute) => backoff.crashed(minute * 60_000));
  assert.deepEqual(delays, [0, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000]);
});
