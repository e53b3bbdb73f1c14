import { and, desc, eq, inArray, ne } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { askProvider } from "#app/domain/payments/ask-provider.server.ts";
import { ProviderError } from "#app/domain/payments/providers/port.ts";
import { isSaleId } from "#app/domain/sales/sale-id.ts";
import type { SaleStatus } from "#app/domain/sales/states.ts";
import { notFound } from "#app/kit/refusal.ts";

/** A payment as its buyer sees it. `unsure`: the provider was asked and gave no answer. */
export type PixStatus = { status: "pending" | "completed" | "failed"; saleId: string; unsure: boolean };

/** Codes of one sale that a press of the button asks about: the newest, and those that ran out before it. */
const MOST_ASKED = 4;

/**
 * How a payment stands; with `ask` the provider is asked first, about this code and then about the sale's older ones,
 * each as its gate allows, until one turns out to be paid.
 * @throws Refusal not-found
 */
export async function checkPix(chargeId: string, { ask }: { ask: boolean }): Promise<PixStatus> {
  let now = await read(chargeId);
  let unsure = false;
  if (!ask || now.status === "completed") return { ...now, unsure };
  for (const id of [chargeId, ...(await otherCodes(now.saleId, chargeId))]) {
    const answered = await isAnswered(id);
    if (answered) now = await read(chargeId);
    if (now.status === "completed") return { ...now, unsure: false };
    unsure ||= answered === null;
  }
  return { ...now, unsure };
}

/** Whether the provider was asked about this code and answered; null where it was asked in vain. */
async function isAnswered(chargeId: string): Promise<boolean | null> {
  try {
    return (await askProvider(chargeId)).kind === "asked";
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

/** The sale's other codes that may have been paid, newest first. */
async function otherCodes(saleId: string, chargeId: string): Promise<string[]> {
  const rows = await db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        eq(charges.saleId, saleId),
        ne(charges.id, chargeId),
        inArray(charges.status, ["open", "expired", "cancelled"]),
      ),
    )
    .orderBy(desc(charges.createdAt))
    .limit(MOST_ASKED - 1);
  return rows.map(({ id }) => id);
}

async function read(chargeId: string): Promise<{ status: PixStatus["status"]; saleId: string }> {
  if (!isSaleId(chargeId)) throw notFound("Pagamento não encontrado");
  const [found] = await db
    .select({ saleId: sales.id, saleStatus: sales.status, chargeStatus: charges.status })
    .from(charges)
    .innerJoin(sales, eq(sales.id, charges.saleId))
    .where(eq(charges.id, chargeId));
  if (!found) throw notFound("Pagamento não encontrado");
  return { saleId: found.saleId, status: readStatus(found.saleStatus, found.chargeStatus) };
}

function readStatus(sale: SaleStatus, charge: string): PixStatus["status"] {
  if (sale === "completed" || sale === "refunded" || sale === "chargedback") return "completed";
  // A sale that failed may have a fresh PIX by now.
  if (charge === "open") return "pending";
  return sale === "failed" || sale === "cancelled" || charge === "failed" || charge === "cancelled"
    ? "failed"
    : "pending";
}
