/** How long to wait before a server that has died is started again, and when to give up. */

const DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000];
const WINDOW_MS = 180_000;

/** Remembers the crashes of the last minutes. */
export class Backoff {
  private crashes: number[] = [];

  /** A server has died: how many milliseconds to wait, or nothing where it is hopeless. */
  crashed(nowMs: number): number | undefined {
    this.crashes = this.crashes.filter((time) => nowMs - time < WINDOW_MS);
    const delay = DELAYS_MS[this.crashes.length];
    this.crashes.push(nowMs);
    return delay;
  }

  /** Somebody started it by hand: all is forgiven. */
  reset(): void {
    this.crashes = [];
  }
}
