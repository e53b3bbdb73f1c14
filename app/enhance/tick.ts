import { SECOND } from "#app/kit/duration.ts";

/**
 * Calls back at once and each second with the whole seconds left until a moment (Unix ms), until none are left.
 * @returns stops it
 */
export function tick(until: number, onTick: (secondsLeft: number) => void): () => void {
  const step = () => {
    const left = Math.max(0, Math.ceil((until - Date.now()) / SECOND));
    if (left === 0) clearInterval(timer);
    onTick(left);
  };
  const timer = setInterval(step, SECOND);
  step();
  return () => clearInterval(timer);
}

/** Seconds as `29:45`. */
export function formatClock(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}
