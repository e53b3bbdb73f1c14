import { and, eq, isNull, or, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { chargeEvents, charges, refunds } from "#app/db/schema/payments.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { lockCharge } from "#app/domain/charge/lock-charge.server.ts";
import { type MovedRefund, moveRefund, openRefund } from "#app/domain/charge/move-refund.server.ts";
import { IN_A_MINUTE, nextCheckTime } from "#app/domain/charge/next-check-time.server.ts";
import { unsealKeys, withKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { findRefundWindow } from "#app/domain/gateway/method-capabilities.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Credentials, type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import {
  REFUND_REFUSALS,
  refundFailureText,
  refundRefusal,
  tooLateRefusal,
} from "#app/domain/refund/refund-texts.ts";
import { queueAcceptedMails } from "#app/domain/refund/request/queue-refund-request-mails.server.ts";
import { fetchChargeState } from "#app/domain/settlement/fetch-charge-state.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";

/**
 * `accepted` by the provider; `pending`: its answer was lost, and a check will find out; `refused`: may be requested again;
 * `unconfirmed`: an earlier request's outcome is unknown, so nothing was requested; `done`: that earlier request had worked.
 */
export type RefundOutcome =
  | { status: "accepted" | "pending" | "done" }
  | { status: "refused" | "unconfirmed"; reason: string };

/**
 * Requests the refund of a payment: a completed sale's, an overpayment or an amount mismatch. The refund's row is written
 * before the provider's call and after it. After a lost answer the call is not repeated; a check finds out what happened.
 * @param amountCents a part of it, where the provider can refund one; null: all that is left
 * @param cause who requested it
 * @throws Refusal not-found; conflict where it cannot be refunded (any more)
 */
export async function refundCharge(
  sellerId: string,
  chargeId: string,
  amountCents: number | null = null,
  cause: Extract<Cause, "seller" | "buyer"> = "seller",
): Promise<RefundOutcome> {
  const earlier = await checkEarlierRefund(sellerId, chargeId);
  if (typeof earlier === "object") return earlier;
  const { provider, keys, providerId, refund, isPartial } = await db.transaction((tx) =>
    claimRefund(tx, sellerId, chargeId, { amountCents, cause }, earlier),
  );
  try {
    await withKeys(keys, (credentials) =>
      provider.refund(credentials, providerId, {
        reference: refund.id,
        amountCents: isPartial ? refund.amountCents : null,
      }),
    );
    await recordAccepted(refund);
    log.info({ chargeId, providerId }, "refund accepted");
    return { status: "accepted" };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ chargeId, kind: error.kind, error: error.message }, "refund not accepted");
    if (error.kind === "no-answer" || error.kind === "nonsense") return { status: "pending" };
    const detail = error.message.replace(/^\d+: /, "");
    await recordRefused(refund, error.kind, detail);
    return { status: "refused", reason: refundFailureText(error.kind, detail) };
  }
}

/**
 * Checks a refund that was never confirmed before another one is requested, as it may have worked. `asked`: it did not
 * happen; `none`: there is none. Where the provider does not tell, nothing is requested.
 */
async function checkEarlierRefund(
  sellerId: string,
  chargeId: string,
): Promise<RefundOutcome | "asked" | "none"> {
  const loadCharge = () => db.transaction((tx) => findPaidCharge(tx, sellerId, chargeId));
  if ((await loadCharge()).lastRefund?.status !== "unconfirmed") return "none";
  const check = await fetchChargeState(chargeId).catch((error: unknown) => {
    if (error instanceof ProviderError) return null;
    throw error;
  });
  if ((await loadCharge()).lastRefund?.status === "done") return { status: "done" };
  if (check?.kind === "nothing" || (check?.kind === "asked" && check.outcome === "still-paid"))
    return "asked";
  // The seller's screen shows this until the provider answers.
  await db
    .update(refunds)
    .set({ failureKind: "no-answer" })
    .where(
      and(eq(refunds.sellerId, sellerId), eq(refunds.chargeId, chargeId), eq(refunds.status, "unconfirmed")),
    );
  return { status: "unconfirmed", reason: REFUND_REFUSALS.unknown };
}

type ClaimedRefund = {
  provider: Provider;
  keys: Credentials[];
  providerId: string;
  refund: MovedRefund;
  isPartial: boolean;
};

/** Inserts the refund, with charge and sale locked, before the provider is called: concurrent requests are one. */
async function claimRefund(
  tx: Tx,
  sellerId: string,
  chargeId: string,
  request: { amountCents: number | null; cause: Cause },
  earlier: "asked" | "none",
): Promise<ClaimedRefund> {
  const charge = await findPaidCharge(tx, sellerId, chargeId);
  if (charge.lastRefund?.status === "pending") throw refundRefusal("pending");
  if (charge.leftCents <= 0) throw refundRefusal("done");
  // Became unconfirmed since `checkEarlierRefund`: the provider has to be checked first.
  if (charge.lastRefund?.status === "unconfirmed" && earlier !== "asked") throw refundRefusal("unknown");
  if (charge.isSalePayment && charge.sale.status === "disputed") throw refundRefusal("disputed");
  if (charge.isSalePayment && charge.sale.status !== "completed") throw refundRefusal("notCompleted");
  const provider = pick(providers, charge.provider);
  const keys = unsealKeys(charge.sealedKeys);
  if (!provider || keys.length === 0 || !charge.providerId) throw refundRefusal("noGateway");
  const windowMs = findRefundWindow(charge) ?? provider.refunds.windowMs;
  if (!charge.paidAt || Date.now() - charge.paidAt.getTime() > windowMs) throw tooLateRefusal(windowMs);
  const amountCents = request.amountCents ?? charge.leftCents;
  if (amountCents > charge.leftCents) throw refundRefusal("tooMuch");
  const isPartial = amountCents < charge.paidCents!;
  if (isPartial && !provider.refunds.partial) throw refundRefusal("onlyWhole");
  const newRefund = { chargeId, amountCents, status: "pending", origin: "requested" } as const;
  const id = await openRefund(tx, newRefund, request.cause);
  await tx
    .update(charges)
    .set({ nextCheckAt: nextCheckTime(IN_A_MINUTE), requestedBy: requestId() ?? null })
    .where(eq(charges.id, chargeId));
  const refund = { id, chargeId, status: "pending" as const, amountCents };
  return { provider, keys, providerId: charge.providerId, refund, isPartial };
}

/** The provider's confirmation may have come first; a refund that is done stays done. */
async function recordAccepted({ id, chargeId, amountCents }: MovedRefund): Promise<void> {
  await db.transaction(async (tx) => {
    const statement = new Statement();
    const accepted = statement.add<"id">(
      "accepted",
      tx
        .update(refunds)
        .set({ acceptedAt: sql`now()` })
        .where(and(eq(refunds.id, id), eq(refunds.status, "pending")))
        .returning({ id: refunds.id, sellerId: refunds.sellerId }),
    );
    statement.add(
      "noted",
      sql`insert into ${chargeEvents} (charge_id, seller_id, kind, data, cause)
        select ${chargeId}::uuid, seller_id, 'refund_accepted', jsonb_build_object('refundId', id), 'provider' from ${accepted}`,
    );
    const events = await tx.execute(statement.selectFrom(accepted, sql`id`));
    if (events.length > 0) await notifyRequester(tx, chargeId, amountCents);
  });
}

/** Notifies a buyer who requested a refund that the provider accepted it, whoever started it. */
async function notifyRequester(tx: Tx, chargeId: string, amountCents: number): Promise<void> {
  const [request] = await tx
    .select({ id: refundRequests.id, saleId: refundRequests.saleId })
    .from(refundRequests)
    .innerJoin(
      charges,
      and(eq(charges.sellerId, refundRequests.sellerId), eq(charges.saleId, refundRequests.saleId)),
    )
    .where(
      and(
        eq(charges.id, chargeId),
        eq(charges.status, "paid"),
        isNull(charges.overpaidAt),
        or(eq(refundRequests.kind, "right"), eq(refundRequests.answer, "granted")),
      ),
    );
  if (request) await queueAcceptedMails(tx, request.saleId, { id: request.id, amountCents });
}

/** A refusal may mean that it was refunded before, so the charge is checked once more. */
async function recordRefused(
  refund: MovedRefund,
  failureKind: ProviderError["kind"],
  detail: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockCharge(tx, refund.chargeId);
    if (!(await moveRefund(tx, refund, { to: "refused", why: failureKind, detail }, "provider"))) return;
    const nextCheckAt = failureKind === "refused" ? IN_A_MINUTE : null;
    await tx
      .update(charges)
      .set({ nextCheckAt: nextCheckTime(nextCheckAt) })
      .where(eq(charges.id, refund.chargeId));
  });
}
