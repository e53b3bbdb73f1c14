import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { env } from "#app/platform/env.server.ts";
import { makeDemoDispute } from "#scripts/demo-dispute.ts";
import { makeDemoSales } from "#scripts/demo-sales.ts";
import { makeDemoShop } from "#scripts/demo-shop.ts";
import { makeDemoViews } from "#scripts/demo-views.ts";

/** Fills an empty database with the demo shop in one transaction; concurrent calls create only one. */
export async function seed(): Promise<void> {
  // Not the app's pool: that one closes on the signals that `npm start` handles itself.
  const client = postgres(env.DATABASE_URL, { max: 1, onnotice: () => {} });
  try {
    await drizzle(client, { casing: "snake_case" }).transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('checkintelli:seed'))`);
      const [someone] = await tx.select({ id: sellers.id }).from(sellers).limit(1);
      if (someone) return;
      const shop = await makeDemoShop(tx);
      await makeDemoSales(tx, shop);
      await makeDemoViews(tx, shop.sellerId);
      await makeDemoDispute(tx, shop);
      // Old unpaid orders still name their buyers: anonymized now, not at the next hourly run.
      await tx.execute(sql`select graphile_worker.add_job('empty-unpaid', '{}', job_key => 'empty-unpaid')`);
    });
  } finally {
    await client.end();
  }
}

if (import.meta.main) await seed();
