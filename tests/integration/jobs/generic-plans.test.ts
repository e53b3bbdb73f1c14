import { sql as raw } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { summaryCharges } from "#app/domain/charge/payment-summary-columns.server.ts";

test("a statement with ids is not planned again each time, however many they are", async () => {
  await db.transaction(async (tx) => {
    for (let times = 1; times <= 20; times++) {
      const ids = Array.from({ length: times % 3 }, () => crypto.randomUUID());
      await tx.select({ id: sales.id, charges: summaryCharges }).from(sales).where(anyOf(sales.id, ids));
    }
    const plans = await tx.execute<{ generic: number; custom: number }>(
      raw`select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
        where statement like '%json_agg%' and statement not like '%pg_prepared_statements%'
          and prepare_time >= now()`,
    );
    // PostgreSQL plans the first five executions with their values.
    expect(plans).toMatchObject([{ generic: 15, custom: 5 }]);
  });
});
