import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { SaleStatus } from "#app/domain/sales/states.ts";

/** How a payment stands, as its open page is told. */
export type PixStatus = "pending" | "completed" | "failed";

type Row = { id: string; sale: SaleStatus; charge: (typeof charges.$inferSelect)["status"] | null };

/** How the payments of these sales stand; unknown sales are left out. One statement, the same for any number. */
export async function readPixStatuses(saleIds: string[]): Promise<Map<string, PixStatus>> {
  const rows = await db.execute<Row>(sql`
    select ${sales.id}, ${sales.status} as sale, newest.status as charge
    from ${sales}
    left join lateral (select status from ${charges} where sale_id = ${sales.id} order by created_at desc limit 1) newest on true
    where ${sales.id} = any(string_to_array(${saleIds.join(",")}, ',')::uuid[])`);
  return new Map(rows.map((row) => [row.id, statusOf(row)]));
}

function statusOf({ sale, charge }: Row): PixStatus {
  if (sale === "completed" || sale === "refunded" || sale === "chargedback") return "completed";
  // A sale that failed may have a fresh PIX by now.
  return charge === "failed" || (sale === "failed" && charge !== "open") ? "failed" : "pending";
}
