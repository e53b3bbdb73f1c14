import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { adHoc, db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

const KEPT = sql`select count(*)::int as kept from pg_prepared_statements where statement like '%"sellers"%'`;

test("a connection keeps the plan of a statement, inside a transaction and outside", async () => {
  const kept = await db.transaction(async (tx) => {
    await tx.select({ id: sellers.id }).from(sellers).limit(1);
    await tx.transaction((inner) => inner.select({ id: sellers.id }).from(sellers).limit(1));
    await tx.select({ id: sellers.id }).from(sellers).limit(1);
    return tx.execute(KEPT);
  });
  expect(kept).toEqual([{ kept: 1 }]);
});

test("nothing is kept of a report's statement", async () => {
  const kept = await adHoc.transaction(async (tx) => {
    await tx.select({ name: sellers.name }).from(sellers).limit(1);
    return tx.execute(
      sql`select count(*)::int as kept from pg_prepared_statements where statement like '%"name"%'`,
    );
  });
  expect(kept).toEqual([{ kept: 0 }]);
});
