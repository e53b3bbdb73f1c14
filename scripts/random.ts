/** Random numbers that are the same at every run: mulberry32. */
export function randomness(seed: number) {
  let state = seed;
  /** From 0 up to, not including, 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  return {
    next,
    /** A whole number from `min` to `max`, both included. */
    between: (min: number, max: number) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability: number) => next() < probability,
    pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!,
    /** Picks from `[value, weight]` pairs. */
    weighted: <T>(from: readonly (readonly [T, number])[]): T => {
      let left = next() * from.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of from) {
        left -= weight;
        if (left < 0) return item;
      }
      return from.at(-1)![0];
    },
  };
}

export type Randomness = ReturnType<typeof randomness>;
