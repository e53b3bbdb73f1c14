import { and, desc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { type Asked, askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

const MOST_ASKED = 4;

/** What asking about a sale brought: of its newest code that could be asked about; `no-answer` where the provider gave none. */
export type SaleCheck = Asked | { kind: "no-answer"; why: ProviderError["kind"] };

/**
 * Asks the provider about a seller's sale, each code as its gate allows, newest first. A payment that is booked is asked
 * about after those of which something is expected: it may have gone back and its webhook may be lost.
 * @throws Refusal not-found, also for somebody else's
 */
export async function checkSale(sellerId: string, saleId: string): Promise<SaleCheck> {
  const codes = isUuid(saleId)
    ? await db
        .select({ id: charges.id })
        .from(sales)
        .leftJoin(charges, eq(charges.saleId, sales.id))
        .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)))
        .orderBy(desc(charges.createdAt))
        .limit(MOST_ASKED)
    : [];
  if (codes.length === 0) throw notFound("Venda não encontrada");
  const ids = codes.flatMap(({ id }) => id ?? []);
  const expected = await askInTurn(ids, { paced: false });
  return expected.kind === "nothing" ? askInTurn(ids, { paced: true }) : expected;
}

/** The first answer, else the first reason why there was none. */
async function askInTurn(chargeIds: string[], why: { paced: boolean }): Promise<SaleCheck> {
  let told: SaleCheck = { kind: "nothing" };
  for (const id of chargeIds) {
    const answer = await ask(id, why);
    if (answer.kind === "asked") return answer;
    if (told.kind === "nothing") told = answer;
  }
  return told;
}

async function ask(chargeId: string, why: { paced: boolean }): Promise<SaleCheck> {
  try {
    return await askProvider(chargeId, undefined, why);
  } catch (error) {
    if (error instanceof ProviderError) return { kind: "no-answer", why: error.kind };
    throw error;
  }
}
