import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/** The transaction that the current async context runs in. */
const openTransaction = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs a transaction's work, from after its begin to after its end. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await openTransaction.run(transaction, work);
  } finally {
    transaction.isOpen = false;
  }
}

/**
 * Called where a connection is acquired. Waiting for a second connection while holding one can deadlock the process, once
 * all connections are held that way. Inside a transaction only `tx` may be used.
 * @throws Error except in production, which only logs it
 */
export function refuseSecondConnection(): void {
  if (!openTransaction.getStore()?.isOpen) return;
  const error = new Error("a second connection was requested inside an open transaction: use `tx`");
  log.error({ err: error }, "second connection in a transaction");
  if (env.SECOND_CONNECTION === "refuse") throw error;
}
