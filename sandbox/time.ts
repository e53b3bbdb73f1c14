/**
 * The sandbox's own clock and its pending work.
 *
 * `advance` moves the clock so that a test can pass a limit (60 s gate, 24 h idempotency, 90 days refund) without waiting.
 * Pending work does not keep the process alive, and is dropped by `cancelAll` on reset and on close.
 */
export interface Time {
  /** Milliseconds since 1970, plus the time added by `advance`. */
  now(): number;
  advance(milliseconds: number): void;
  after(milliseconds: number, work: () => void): void;
  /** Resolves to false if the wait was cancelled. */
  sleep(milliseconds: number): Promise<boolean>;
  /** @returns whether there has been no reset since: work that was under way then stops */
  begin(): () => boolean;
  cancelAll(): void;
  reset(): void;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function createTime(): Time {
  let ahead = 0;
  let resets = 0;
  const pending = new Map<NodeJS.Timeout, () => void>();

  function schedule(milliseconds: number, work: () => void, cancelled: () => void) {
    const timer = setTimeout(() => {
      pending.delete(timer);
      work();
    }, milliseconds);
    timer.unref();
    pending.set(timer, cancelled);
  }

  function cancelAll() {
    const waiting = [...pending];
    pending.clear();
    for (const [timer, cancelled] of waiting) {
      clearTimeout(timer);
      cancelled();
    }
  }

  return {
    now: () => Date.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
    after(milliseconds, work) {
      schedule(milliseconds, work, () => {});
    },
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        schedule(
          milliseconds,
          () => resolve(true),
          () => resolve(false),
        );
      }),
    begin() {
      const begun = resets;
      return () => begun === resets;
    },
    cancelAll,
    reset() {
      ahead = 0;
      resets++;
      cancelAll();
    },
  };
}
