import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

/** The transaction this work goes on in. */
const around = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs what happens inside a transaction, from after its begin to after its end. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await around.run(transaction, work);
  } finally {
    transaction.isOpen = false;
  }
}

/**
 * Called where a connection is asked for. Who holds one and waits for another can wait for ever: as many of them as there
 * are connections stop the process. Inside a transaction only `tx` is asked.
 * @throws Error unless the process only tells of it, as production does
 */
export function refuseSecondConnection(): void {
  if (!around.getStore()?.isOpen) return;
  const error = new Error("a second connection was asked for inside an open transaction: ask `tx`");
  log.error({ err: error }, "second connection in a transaction");
  if (env.SECOND_CONNECTION === "refuse") throw error;
}
