import { SECOND } from "#app/kit/duration.ts";
import { type ClockReading, elapsedMs, readClocks } from "#app/platform/clocks.ts";

/** When a process began to claim a call. */
export type ClaimTime = ClockReading;

/** A process that was held up for longer between its claim and the call drops the call: others may have taken it for dead. */
const MAX_SEND_DELAY = 10 * SECOND;

/** Reads the time before a claim. */
export function readClaimTime(): ClaimTime {
  return readClocks();
}

/** Whether it is too late for the call of a claim, right before it is sent. */
export function isTooLate(claimedAt: ClaimTime): boolean {
  return elapsedMs(claimedAt) > MAX_SEND_DELAY;
}
