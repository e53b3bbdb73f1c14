import { and, asc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import { findGuaranteeDays } from "#app/domain/storefront/find-guarantee-days.server.ts";
import { guaranteeEndsAt } from "#app/domain/storefront/guarantee-end.ts";

/**
 * Until when a purchase's buyer has a right to a refund. The time of a dispute that was rejected does not count, since none can be
 * requested while the bank decides: the guarantee is longer by it, to the end of a day.
 */
export async function findGuaranteeEnd(
  at: Db,
  { sellerId, saleId, paidAt }: { sellerId: string; saleId: string; paidAt: Date },
): Promise<Date> {
  const rejected = await at
    .select({ openedAt: disputes.openedAt, decidedAt: disputes.decidedAt })
    .from(disputes)
    .where(and(ownOfSale(disputes, sellerId, saleId), eq(disputes.status, "won")))
    .orderBy(asc(disputes.openedAt));
  return rejected.reduce(
    (end, { openedAt, decidedAt }) => {
      if (openedAt >= end) return end;
      const lastedMs = decidedAt!.getTime() - openedAt.getTime();
      return guaranteeEndsAt(new Date(end.getTime() + lastedMs - 1), 0);
    },
    guaranteeEndsAt(paidAt, await findGuaranteeDays(at, saleId)),
  );
}
