import { desc } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale, ownById } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { type CheckOutcome, checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

const MAX_CHECKED = 4;

/** The outcome for a sale: that of its newest code that could be checked; `no-answer` where the provider gave none. */
export type SaleCheck = CheckOutcome | { kind: "no-answer"; reason: ProviderError["kind"] };

/**
 * Checks a seller's sale at the provider, each code as its gate allows, newest first. Booked payments come last: they may
 * have been refunded and their webhook lost.
 * @throws Refusal not-found, also for another seller's sale
 */
export async function checkSale(sellerId: string, saleId: string): Promise<SaleCheck> {
  const codes = isUuid(saleId)
    ? await db
        .select({ id: charges.id })
        .from(sales)
        .leftJoin(charges, ofSale(charges))
        .where(ownById(sales, sellerId, saleId))
        .orderBy(desc(charges.createdAt))
        .limit(MAX_CHECKED)
    : [];
  if (codes.length === 0) throw notFound("Venda não encontrada");
  const ids = codes.flatMap(({ id }) => id ?? []);
  const expected = await checkEach(ids, { evenIfUnchanged: false });
  return expected.kind === "nothing" ? checkEach(ids, { evenIfUnchanged: true }) : expected;
}

/** The first answer, else the first reason why there was none. */
async function checkEach(chargeIds: string[], options: { evenIfUnchanged: boolean }): Promise<SaleCheck> {
  let firstOutcome: SaleCheck = { kind: "nothing" };
  for (const id of chargeIds) {
    const outcome = await checkOne(id, options);
    if (outcome.kind === "checked") return outcome;
    if (firstOutcome.kind === "nothing") firstOutcome = outcome;
  }
  return firstOutcome;
}

async function checkOne(chargeId: string, options: { evenIfUnchanged: boolean }): Promise<SaleCheck> {
  try {
    return await checkCharge(chargeId, options);
  } catch (error) {
    if (error instanceof ProviderError) return { kind: "no-answer", reason: error.kind };
    throw error;
  }
}
