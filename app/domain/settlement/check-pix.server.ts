import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSaleId, ownOfCharge } from "#app/db/conditions.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { chargeEvents, charges } from "#app/db/schema/payments.server.ts";
import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { PaymentSummary } from "#app/domain/sale/payment-summary.ts";
import { type CheckOutcome, checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * A payment as its buyer sees it. `isUncertain`: the provider did not answer; `nextCheckAt`: when it may be checked again,
 * which then happens by itself, as a buyer who clicks has paid or is about to.
 */
export type PixCheckResult = {
  saleId: string;
  status: PaymentSummary["apiStatus"];
  paymentSummary: PaymentSummary["buyer"];
  isUncertain: boolean;
  nextCheckAt: Date | null;
};

/** The states of charges that may have been paid. */
const CHECKABLE: ChargeStatus[] = ["open", "unknown", "in_review", "expired", "cancelled"];

/** How many codes of a sale one click checks: the current one and expired ones. */
const MAX_CHECKED = 4;

/** Least recently checked first, then newest first: repeated clicks cycle through all codes of a sale. */
const BY_LAST_CHECK = [sql`${charges.lastCheckedAt} asc nulls first`, desc(charges.createdAt)];

/**
 * A payment's state. With `asksProvider`, first checks this code and then the sale's older ones, each as its gate allows,
 * until one is paid.
 * @throws Refusal not-found
 */
export async function checkPix(
  chargeId: string,
  { asksProvider }: { asksProvider: boolean },
): Promise<PixCheckResult> {
  let summary = await loadPaymentSummary({ chargeId });
  const { saleId } = summary;
  let isUncertain = false;
  let nextCheckAt: Date | null = null;
  if (asksProvider && summary.apiStatus !== "completed") {
    for (const id of [chargeId, ...(await findOtherCharges(saleId, chargeId))]) {
      const outcome = await checkOrNull(id);
      isUncertain ||= outcome === null;
      if (outcome && outcome.kind !== "nothing" && (nextCheckAt === null || outcome.opensAt < nextCheckAt))
        nextCheckAt = outcome.opensAt;
      if (id === chargeId && outcome && outcome.kind !== "nothing") await scheduleCheck(id, outcome.opensAt);
      if (outcome?.kind !== "checked") continue;
      summary = await loadPaymentSummary({ saleId });
      if (summary.apiStatus === "completed") break;
    }
    // A concurrent check may have booked it meanwhile.
    if (summary.apiStatus !== "completed") summary = await loadPaymentSummary({ saleId });
    if (summary.apiStatus === "completed") [isUncertain, nextCheckAt] = [false, null];
  }
  return { saleId, status: summary.apiStatus, paymentSummary: summary.buyer, isUncertain, nextCheckAt };
}

/** Without it, a payment right after the click would wait for as long as the code is old. */
async function scheduleCheck(chargeId: string, opensAt: Date): Promise<void> {
  const at = sql`${opensAt.toISOString()}::timestamptz`;
  await db
    .update(charges)
    .set({ nextCheckAt: sql`least(coalesce(${charges.nextCheckAt}, ${at}), ${at})` })
    .where(and(eq(charges.id, chargeId), inArray(charges.status, CHECKABLE)));
}

/**
 * Checks a sale's codes and cards, as many as their gates allow now. A card that is still not decided is checked again soon: its
 * buyer waits, and may have answered the bank a moment ago.
 * @returns the payment summary after that; `isUncertain`: a code may have been paid, as its newest check got no answer (the state
 * of a card says so itself)
 */
export async function checkPendingCharges(
  saleId: string,
): Promise<{ summary: PaymentSummary; isUncertain: boolean }> {
  const codes = await db
    .select({ id: charges.id, sellerId: charges.sellerId, method: charges.method })
    .from(charges)
    .where(and(ofSaleId(charges, saleId), inArray(charges.status, CHECKABLE)))
    .orderBy(...BY_LAST_CHECK)
    .limit(MAX_CHECKED);
  let isUncertain = false;
  for (const { id, sellerId, method } of codes) {
    const outcome = await checkOrNull(id);
    if (method === "pix")
      isUncertain ||= outcome === null || (outcome.kind === "gate" && !(await isAnswered(sellerId, id)));
    if (method === "card" && outcome && outcome.kind !== "nothing") await scheduleCheck(id, outcome.opensAt);
  }
  const summary = await loadPaymentSummary({ saleId });
  return { summary, isUncertain: isUncertain && summary.apiStatus !== "completed" };
}

/** Whether a charge's newest check was answered, not failed or still under way. */
async function isAnswered(sellerId: string, chargeId: string): Promise<boolean> {
  const [newest] = await db
    .select({ kind: chargeEvents.kind })
    .from(chargeEvents)
    .where(
      and(ownOfCharge(chargeEvents, sellerId, chargeId), inArray(chargeEvents.kind, ["asked", "unanswered"])),
    )
    .orderBy(desc(chargeEvents.id))
    .limit(1);
  return newest?.kind === "asked";
}

/** The outcome of a code's check; null where the provider gave no answer. */
async function checkOrNull(chargeId: string): Promise<CheckOutcome | null> {
  try {
    return await checkCharge(chargeId);
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

/** The sale's other codes that may have been paid. */
async function findOtherCharges(saleId: string, chargeId: string): Promise<string[]> {
  const rows = await db
    .select({ id: charges.id })
    .from(charges)
    .where(and(ofSaleId(charges, saleId), ne(charges.id, chargeId), inArray(charges.status, CHECKABLE)))
    .orderBy(...BY_LAST_CHECK)
    .limit(MAX_CHECKED - 1);
  return rows.map(({ id }) => id);
}

async function loadPaymentSummary(key: Parameters<typeof findPaymentSummary>[0]) {
  const found = await findPaymentSummary(key);
  if (!found) throw notFound("Pagamento não encontrado");
  return found;
}
