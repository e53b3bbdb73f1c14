import { sql } from "drizzle-orm";
import { db, pool } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { makeDemoSales } from "#scripts/demo-sales.ts";
import { makeDemoShop } from "#scripts/demo-shop.ts";

/** Fills an empty database with the demo shop, whole or not at all; several at once make one. */
await db.transaction(async (tx) => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('checkintelli:seed'))`);
  const [someone] = await tx.select({ id: sellers.id }).from(sellers).limit(1);
  if (someone) return;
  const shop = await makeDemoShop(tx);
  await makeDemoSales(tx, shop);
});
await pool.end();
