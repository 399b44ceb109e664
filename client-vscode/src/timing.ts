/** What waits for a pause, so that nothing is done on the way of a key. */

/** Does something once, a while after it was last asked for. */
export class Later {
  private timer: NodeJS.Timeout | undefined;
  /** When it was first asked for, since it was done. */
  private since: number | undefined;

  /** Asking again begins the pause anew, but all of it never takes longer than the longest. */
  constructor(
    private readonly action: () => unknown,
    private readonly pauseMs: number,
    private readonly longestMs = Number.POSITIVE_INFINITY,
  ) {}

  soon(pauseMs = this.pauseMs): void {
    this.dispose();
    this.since ??= Date.now();
    const left = this.since + this.longestMs - Date.now();
    this.timer = setTimeout(
      () => {
        this.since = undefined;
        this.action();
      },
      Math.min(pauseMs, left),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
