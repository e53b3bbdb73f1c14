/** Releases a slot; a second call does nothing. */
export type Release = () => void;

/**
 * Limits concurrency by name in this process: at most `max` slots for each.
 * @returns acquires a slot and returns its release; null if none is free
 */
export function concurrencyLimiter(max: number): (name: string) => Release | null {
  const counts = new Map<string, number>();
  return (name) => {
    const current = counts.get(name) ?? 0;
    if (current >= max) return null;
    counts.set(name, current + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const remaining = counts.get(name)! - 1;
      if (remaining > 0) counts.set(name, remaining);
      else counts.delete(name);
    };
  };
}
