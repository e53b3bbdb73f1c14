import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";

/**
 * What processes tell each other: `sale` (a sale's id: its state changed), `storefront` (a product's id: its page changed),
 * `due` (a pump's name: it has something to do).
 */
export type Channel = "due" | "sale" | "storefront";

/** Tells every process once the transaction commits. */
export async function notify(tx: Db, channel: Channel, payload: string): Promise<void> {
  await tx.execute(sql`select ${notifying(channel, payload)}`);
}

/** The same as a column of a statement that does more. */
export function notifying(channel: Channel, payload: string | SQL): SQL {
  return sql`pg_notify(${channel}, ${payload})`;
}
