/** A moment by two clocks: one stands still while the machine is suspended, the other may be set. */
export type ClockReading = { monotonicMs: number; wallMs: number };

export function readClocks(): ClockReading {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** How long ago that was, by the clock that shows more. */
export function elapsedMs({ monotonicMs, wallMs }: ClockReading): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
