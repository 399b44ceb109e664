/** What waits for a pause, so that nothing is done on the way of a key. */

/** When something was first asked for, and what will do it. */
interface Waiting {
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}

/** Does something once, a while after it was last asked for; for each of several things by itself. */
export class Later<Thing = void> {
  private readonly waiting = new Map<Thing, Waiting>();

  /** Asking again begins the pause anew, but all of it never takes longer than the longest. */
  constructor(
    private readonly action: (thing: Thing) => unknown,
    private readonly pauseMs: number,
    private readonly longestMs = Number.POSITIVE_INFINITY,
  ) {}

  soon(thing: Thing, pauseMs = this.pauseMs): void {
    const { since = Date.now(), timer: earlier } = this.waiting.get(thing) ?? {};
    const act = () => {
      this.waiting.delete(thing);
      this.action(thing);
    };
    clearTimeout(earlier);
    const timer = setTimeout(act, Math.min(pauseMs, since + this.longestMs - Date.now()));
    this.waiting.set(thing, { since, timer });
  }

  dispose(): void {
    for (const { timer } of this.waiting.values()) {
      clearTimeout(timer);
    }
    this.waiting.clear();
  }
}
