import { eq } from "drizzle-orm";
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

/**
 * How a payment stands; with `ask` the provider is asked first, if the gate allows.
 * @throws Refusal not-found
 */
export async function checkPix(chargeId: string, { ask }: { ask: boolean }): Promise<PixStatus> {
  const before = await read(chargeId);
  if (!ask || before.status === "completed") return { ...before, unsure: false };
  try {
    await askProvider(chargeId);
  } catch (error) {
    if (error instanceof ProviderError) return { ...before, unsure: true };
    throw error;
  }
  return { ...(await read(chargeId)), unsure: false };
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
