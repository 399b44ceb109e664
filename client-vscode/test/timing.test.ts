import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { Later } from '../src/timing';

let done = 0;

/** Asks every 100 ms, and says after which number of times it was done. */
function asked(later: Later, times: number): number[] {
  const after: number[] = [];
  for (let time = 1; time <= times; time += 1) {
    later.soon();
    mock.timers.tick(100);
    if (done > after.length) {
      after.push(time);
    }
  }
  return after;
}

beforeEach(() => {
  done = 0;
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
});

const count = () => {
  done += 1;
};

test('it is done once, a pause after it was last asked for', () => {
  const later = new Later(count, 300);
  assert.deepEqual(asked(later, 50), []);
  mock.timers.tick(200);
  assert.equal(done, 1);
  mock.timers.tick(1_000);
  assert.equal(done, 1);
});

test('it is done in time also where there is no pause', () => {
  assert.deepEqual(asked(new Later(count, 300, 1_000), 25), [10, 20]);
});

test('nothing is done after the end', () => {
  const later = new Later(count, 300);
  later.soon();
  later.dispose();
  mock.timers.tick(1_000);
  assert.equal(done, 0);
});

test('each of several things has a pause of its own', () => {
  const asked: string[] = [];
  const later = new Later((thing: string) => asked.push(thing), 300);
  later.soon('a');
  mock.timers.tick(200);
  later.soon('b');
  mock.timers.tick(100);
  assert.deepEqual(asked, ['a']);
  mock.timers.tick(200);
  assert.deepEqual(asked, ['a', 'b']);
});
