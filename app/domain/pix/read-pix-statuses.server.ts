import { anyOf } from "#app/db/any-of.server.ts";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { knownSale } from "#app/domain/charge/known-charges.server.ts";
import { type Standing, standing } from "#app/domain/sale/standing.ts";

/** How a payment stands, as its open page is told: the spec's word, and the finer one; and since when it is paid. */
export type PixStatus = Pick<Standing, "api" | "buyer"> & { completedAt: Date | null };

/** How the payments of these sales stand; unknown sales are left out. */
export async function readPixStatuses(saleIds: string[]): Promise<Map<string, PixStatus>> {
  const rows = await db
    .select({
      id: sales.id,
      ...knownSale,
    })
    .from(sales)
    .where(anyOf(sales.id, saleIds));
  const now = new Date();
  return new Map(
    rows.map((row) => {
      const { api, buyer } = standing(row, now);
      return [row.id, { api, buyer, completedAt: row.completedAt }];
    }),
  );
}
