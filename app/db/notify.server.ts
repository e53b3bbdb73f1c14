import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";

/**
 * Channels between processes: `sale` (a sale's id: its state changed), `storefront` (a product's id: its page changed),
 * `due` (a queue's name: it has due rows).
 */
export type Channel = "due" | "sale" | "storefront";

/** Notifies every process once the transaction commits. */
export async function notify(tx: Db, channel: Channel, payload: string): Promise<void> {
  await tx.execute(sql`select ${notifyExpression(channel, payload)}`);
}

/** The same as a column of a larger statement. */
export function notifyExpression(channel: Channel, payload: string | SQL): SQL {
  return sql`pg_notify(${channel}, ${payload})`;
}
