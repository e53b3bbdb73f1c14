import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { batchDb, db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** Files of one process share its connections, so earlier ones have left statements there. */
const MARK = sql`'cached-plans' is not null`;
const CACHED = sql`select count(*)::int as kept from pg_prepared_statements
  where statement like '%cached-plans%' and statement not like '%pg_prepared_statements%'`;

test("a connection caches the plan of a statement, inside a transaction and outside", async () => {
  const plans = await db.transaction(async (tx) => {
    await tx.select({ id: sellers.id }).from(sellers).where(MARK).limit(1);
    await tx.select({ id: sellers.id }).from(sellers).where(MARK).limit(1);
    return tx.execute(CACHED);
  });
  expect(plans).toEqual([{ kept: 1 }]);
});

test("the plan of a report's statement is not cached", async () => {
  const plans = await batchDb.transaction(async (tx) => {
    await tx.select({ name: sellers.name }).from(sellers).limit(1);
    return tx.execute(
      sql`select count(*)::int as kept from pg_prepared_statements where statement like '%"name"%'`,
    );
  });
  expect(plans).toEqual([{ kept: 0 }]);
});
