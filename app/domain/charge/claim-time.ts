import { SECOND } from "#app/kit/duration.ts";

/** When a process began to claim a call, by two clocks: one stands still while the machine is suspended, the other may be set. */
export type ClaimTime = { monotonicMs: number; wallMs: number };

/** A process that was held up for longer between its claim and the call drops the call: others may have taken it for dead. */
const MAX_SEND_DELAY = 10 * SECOND;

/** Reads the time before a claim. */
export function readClaimTime(): ClaimTime {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** Whether it is too late for the call of a claim, right before it is sent. */
export function isTooLate({ monotonicMs, wallMs }: ClaimTime): boolean {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs) > MAX_SEND_DELAY;
}
