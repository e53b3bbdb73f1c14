import type { TransactionSql } from "postgres";
import { vi } from "vitest";
import { MINUTE } from "#app/kit/duration.ts";
import { holdLock, untilLockedOut } from "#tests/support/database.ts";

/** What happens to a process between its claim and the call, and the clock that goes on meanwhile. */
export const HELD_UP = [
  ["is stopped", performance],
  ["is on a machine that is suspended", Date],
] as const;

/** Does what claims a call, and holds it up for a minute, while a lock keeps it from ending its claim. */
export async function heldUp<T>(
  clock: { now: () => number },
  lock: (tx: TransactionSql) => Promise<unknown>,
  act: () => Promise<T>,
): Promise<T> {
  const now = clock.now.bind(clock);
  let skippedMs = 0;
  const spy = vi.spyOn(clock, "now").mockImplementation(() => now() + skippedMs);
  const acting: Promise<T>[] = [];
  const { release } = await holdLock(async (tx) => {
    await lock(tx);
    acting.push(act());
    await untilLockedOut();
    skippedMs = MINUTE;
  });
  try {
    await release();
    return await acting[0]!;
  } finally {
    spy.mockRestore();
  }
}
