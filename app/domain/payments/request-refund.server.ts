import { and, eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { askProvider } from "#app/domain/payments/ask-provider.server.ts";
import { STILL_PAID } from "#app/domain/payments/book-reversal.server.ts";
import { openKeys, withKeys } from "#app/domain/payments/charge-keys.server.ts";
import { findPaidCharge } from "#app/domain/payments/find-paid-charge.server.ts";
import { providers } from "#app/domain/payments/providers/index.server.ts";
import { type Credentials, type Provider, ProviderError } from "#app/domain/payments/providers/port.ts";
import { REFUND_NO, REFUND_WINDOW } from "#app/domain/payments/refund-words.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * `pending`: the provider said yes, or its answer was lost and it will be asked; `refused`: may be tried again;
 * `unconfirmed`: it is not known what became of an earlier request, so nothing was asked for; `done`: that one had worked.
 */
export type RefundRequest =
  | { status: "pending" | "done" }
  | { status: "refused" | "unconfirmed"; why: string };

/**
 * Asks the provider to give a whole payment back: a completed sale's, or a second one made for it by mistake. Row first,
 * provider second, row again. A lost answer is never repeated: the sweeper asks what became of it.
 * @throws Refusal not-found; conflict where it cannot be refunded (any more)
 */
export async function requestRefund(sellerId: string, chargeId: string): Promise<RefundRequest> {
  const earlier = await lookAtEarlier(sellerId, chargeId);
  if (typeof earlier === "object") return earlier;
  const { provider, keys, providerId } = await db.transaction((tx) =>
    claimRefund(tx, sellerId, chargeId, earlier),
  );
  try {
    await withKeys(keys, (by) => provider.refund(by, providerId));
    await book(chargeId, { refundAcceptedAt: new Date() });
    log.info({ chargeId, providerId }, "refund accepted");
    return { status: "pending" };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ chargeId, kind: error.kind, error: error.message }, "refund not accepted");
    if (error.kind === "no-answer" || error.kind === "nonsense") return { status: "pending" };
    const why = wordsOf(error);
    // A definite no may mean that it went back before: the sweeper asks once.
    const nextCheckAt = error.kind === "refused" ? new Date(Date.now() + MINUTE) : null;
    await book(chargeId, { refundStatus: "refused", refundFailure: why, nextCheckAt });
    return { status: "refused", why };
  }
}

/**
 * A request that was never confirmed may have worked all the same: before another one the provider is asked what became
 * of it, and where it does not say nothing goes out. `asked`: nothing came of it; `none`: there is no such request.
 */
async function lookAtEarlier(sellerId: string, chargeId: string): Promise<RefundRequest | "asked" | "none"> {
  const found = () =>
    db.transaction((tx) => findPaidCharge(tx, sellerId, chargeId)).then((charge) => charge.refundStatus);
  if ((await found()) !== "unconfirmed") return "none";
  const asked = await askProvider(chargeId).catch((error: unknown) => {
    if (error instanceof ProviderError) return null;
    throw error;
  });
  const status = await found();
  if (status === "done") return { status };
  if (asked?.kind === "nothing" || (asked?.kind === "asked" && asked.outcome === STILL_PAID)) return "asked";
  const why = REFUND_NO.unknown;
  await db
    .update(charges)
    .set({ refundFailure: why })
    .where(and(eq(charges.id, chargeId), eq(charges.refundStatus, "unconfirmed")));
  return { status: "unconfirmed", why };
}

/** Notes the request, with charge and sale locked, before the provider hears of it: any number at once is one. */
async function claimRefund(
  tx: Tx,
  sellerId: string,
  chargeId: string,
  earlier: "asked" | "none",
): Promise<{ provider: Provider; keys: Credentials[]; providerId: string }> {
  const charge = await findPaidCharge(tx, sellerId, chargeId);
  if (charge.refundStatus === "pending") throw new Refusal("conflict", REFUND_NO.pending);
  if (charge.refundStatus === "done") throw new Refusal("conflict", REFUND_NO.done);
  // Given up since we looked: now the provider has to be asked first.
  if (charge.refundStatus === "unconfirmed" && earlier !== "asked")
    throw new Refusal("conflict", REFUND_NO.unknown);
  if (!charge.isSurplus && charge.saleStatus !== "completed")
    throw new Refusal("conflict", REFUND_NO.notCompleted);
  const now = new Date();
  if (!charge.paidAt || now.getTime() - charge.paidAt.getTime() > REFUND_WINDOW)
    throw new Refusal("conflict", REFUND_NO.tooLate);
  const provider = pick(providers, charge.provider);
  const keys = openKeys(charge.sealedKeys);
  if (!provider || keys.length === 0 || !charge.providerId)
    throw new Refusal("conflict", REFUND_NO.noGateway);
  await tx
    .update(charges)
    .set({
      refundStatus: "pending",
      refundRequestedAt: now,
      refundAcceptedAt: null,
      refundFailure: null,
      nextCheckAt: new Date(now.getTime() + MINUTE),
    })
    .where(eq(charges.id, chargeId));
  return { provider, keys, providerId: charge.providerId };
}

/** The provider's confirmation may have come first: what is done stays done. */
async function book(chargeId: string, fields: Partial<typeof charges.$inferInsert>): Promise<void> {
  await db
    .update(charges)
    .set(fields)
    .where(and(eq(charges.id, chargeId), eq(charges.refundStatus, "pending")));
}

function wordsOf(error: ProviderError): string {
  if (error.kind === "credentials") return "O provedor não aceitou a API Key. Revise-a em Configurações.";
  if (error.kind === "busy") return "O provedor pediu para esperar. Tente novamente em alguns minutos.";
  return `O provedor recusou o reembolso: ${error.message.replace(/^\d+: /, "")}`.slice(0, 400);
}
