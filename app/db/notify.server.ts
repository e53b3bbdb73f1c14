import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";

/** What processes tell each other: `sale` (a sale's id: its state changed), `storefront` (a product's id: its page changed). */
export type Channel = "sale" | "storefront";

/** Tells every process once the transaction commits. */
export async function notify(tx: Db, channel: Channel, payload: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${channel}, ${payload})`);
}
