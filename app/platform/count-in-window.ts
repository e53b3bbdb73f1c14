/**
 * A counter in this process only, in one window for all keys: a window per client needs a timer each, and thousands of them a
 * second made a busy web process unresponsive.
 * @param window milliseconds
 * @returns counts a key once more; returns 0 within the limit, else the milliseconds until the next window
 */
export function countInWindow(max: number, window: number): (key: string) => number {
  let counts = new Map<string, number>();
  let windowStart = performance.now();
  return (key) => {
    const now = performance.now();
    if (now >= windowStart + window) {
      counts = new Map();
      windowStart = now;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > max ? windowStart + window - now : 0;
  };
}
