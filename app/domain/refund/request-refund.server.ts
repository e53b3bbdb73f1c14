import { and, eq, isNull, or, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import type { Cause } from "#app/db/schema/lists.ts";
import { chargeEvents, charges, refunds } from "#app/db/schema/payments.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { lockCharge } from "#app/domain/charge/lock-charge.server.ts";
import { type MovedRefund, moveRefund, openRefund } from "#app/domain/charge/move-refund.server.ts";
import { IN_A_MINUTE, nextLook } from "#app/domain/charge/next-look.server.ts";
import { openKeys, withKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Credentials, type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { queueAccepted } from "#app/domain/refund/asked/queue-refund-news.server.ts";
import { REFUND_NO, refundNo, refundTooLate, refusedWords } from "#app/domain/refund/refund-words.ts";
import { askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { findPaidCharge } from "#app/domain/settlement/find-paid-charge.server.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";

/**
 * `accepted`: the provider said it would; `pending`: its answer was lost, and it will be asked; `refused`: may be tried again;
 * `unconfirmed`: it is not known what became of an earlier request, so nothing was asked for; `done`: that one had worked.
 */
export type RefundRequest =
  | { status: "accepted" | "pending" | "done" }
  | { status: "refused" | "unconfirmed"; why: string };

/**
 * Asks the provider to give a payment back: a completed sale's, a second one made for it by mistake, or one of a wrong
 * amount. Row first, provider second, row again. A lost answer is never repeated: the sweeper asks what became of it.
 * @param amountCents a part of it, where the provider can; null: all that is left
 * @param cause whose wish it is
 * @throws Refusal not-found; conflict where it cannot be refunded (any more)
 */
export async function requestRefund(
  sellerId: string,
  chargeId: string,
  amountCents: number | null = null,
  cause: Extract<Cause, "seller" | "buyer"> = "seller",
): Promise<RefundRequest> {
  const earlier = await lookAtEarlier(sellerId, chargeId);
  if (typeof earlier === "object") return earlier;
  const { provider, keys, providerId, refund, isPart } = await db.transaction((tx) =>
    claimRefund(tx, sellerId, chargeId, { amountCents, cause }, earlier),
  );
  try {
    await withKeys(keys, (by) => provider.refund(by, providerId, isPart ? refund.amountCents : null));
    await noteAccepted(refund);
    log.info({ chargeId, providerId }, "refund accepted");
    return { status: "accepted" };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ chargeId, kind: error.kind, error: error.message }, "refund not accepted");
    if (error.kind === "no-answer" || error.kind === "nonsense") return { status: "pending" };
    const detail = error.message.replace(/^\d+: /, "");
    await noteRefused(refund, error.kind, detail);
    return { status: "refused", why: refusedWords(error.kind, detail) };
  }
}

/**
 * A request that was never confirmed may have worked all the same: before another one the provider is asked what became
 * of it, and where it does not say nothing goes out. `asked`: nothing came of it; `none`: there is no such request.
 */
async function lookAtEarlier(sellerId: string, chargeId: string): Promise<RefundRequest | "asked" | "none"> {
  const found = () => db.transaction((tx) => findPaidCharge(tx, sellerId, chargeId));
  if ((await found()).lastRefund?.status !== "unconfirmed") return "none";
  const asked = await askProvider(chargeId).catch((error: unknown) => {
    if (error instanceof ProviderError) return null;
    throw error;
  });
  if ((await found()).lastRefund?.status === "done") return { status: "done" };
  if (asked?.kind === "nothing" || (asked?.kind === "asked" && asked.outcome === "still-paid"))
    return "asked";
  // The panel goes on saying so until the provider does.
  await db
    .update(refunds)
    .set({ failureKind: "no-answer" })
    .where(and(eq(refunds.chargeId, chargeId), eq(refunds.status, "unconfirmed")));
  return { status: "unconfirmed", why: REFUND_NO.unknown };
}

type Claimed = {
  provider: Provider;
  keys: Credentials[];
  providerId: string;
  refund: MovedRefund;
  isPart: boolean;
};

/** Notes the request, with charge and sale locked, before the provider hears of it: any number at once is one. */
async function claimRefund(
  tx: Tx,
  sellerId: string,
  chargeId: string,
  wanted: { amountCents: number | null; cause: Cause },
  earlier: "asked" | "none",
): Promise<Claimed> {
  const charge = await findPaidCharge(tx, sellerId, chargeId);
  if (charge.lastRefund?.status === "pending") throw refundNo("pending");
  if (charge.leftCents <= 0) throw refundNo("done");
  // Given up since we looked: now the provider has to be asked first.
  if (charge.lastRefund?.status === "unconfirmed" && earlier !== "asked") throw refundNo("unknown");
  if (charge.counts && charge.sale.status === "disputed") throw refundNo("disputed");
  if (charge.counts && charge.sale.status !== "completed") throw refundNo("notCompleted");
  const provider = pick(providers, charge.provider);
  const keys = openKeys(charge.sealedKeys);
  if (!provider || keys.length === 0 || !charge.providerId) throw refundNo("noGateway");
  if (!charge.paidAt || Date.now() - charge.paidAt.getTime() > provider.refunds.within)
    throw refundTooLate(provider.refunds.within);
  const amountCents = wanted.amountCents ?? charge.leftCents;
  if (amountCents > charge.leftCents) throw refundNo("tooMuch");
  const isPart = amountCents < charge.paidCents!;
  if (isPart && !provider.refunds.partial) throw refundNo("onlyWhole");
  const asked = { chargeId, amountCents, status: "pending", origin: "requested" } as const;
  const id = await openRefund(tx, asked, wanted.cause);
  await tx
    .update(charges)
    .set({ nextCheckAt: nextLook(IN_A_MINUTE), askedBy: requestId() ?? null })
    .where(eq(charges.id, chargeId));
  const refund = { id, chargeId, status: "pending" as const, amountCents };
  return { provider, keys, providerId: charge.providerId, refund, isPart };
}

/** The provider's confirmation may have come first: what is done stays done. */
async function noteAccepted({ id, chargeId, amountCents }: MovedRefund): Promise<void> {
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
    const noted = await tx.execute(statement.selectFrom(accepted, sql`id`));
    if (noted.length > 0) await tellWhoAsked(tx, chargeId, amountCents);
  });
}

/** The buyer who wants their money back learns that the provider accepted, whoever pressed the button. */
async function tellWhoAsked(tx: Tx, chargeId: string, amountCents: number): Promise<void> {
  const [request] = await tx
    .select({ id: refundRequests.id, saleId: refundRequests.saleId })
    .from(refundRequests)
    .innerJoin(charges, eq(charges.saleId, refundRequests.saleId))
    .where(
      and(
        eq(charges.id, chargeId),
        eq(charges.status, "paid"),
        isNull(charges.surplusAt),
        or(eq(refundRequests.kind, "right"), eq(refundRequests.answer, "granted")),
      ),
    );
  if (request) await queueAccepted(tx, request.saleId, { id: request.id, amountCents });
}

/** A definite no may mean that it went back before: the sweeper asks once. */
async function noteRefused(refund: MovedRefund, why: ProviderError["kind"], detail: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockCharge(tx, refund.chargeId);
    if (!(await moveRefund(tx, refund, { to: "refused", why, detail }, "provider"))) return;
    const nextCheckAt = why === "refused" ? IN_A_MINUTE : null;
    await tx
      .update(charges)
      .set({ nextCheckAt: nextLook(nextCheckAt) })
      .where(eq(charges.id, refund.chargeId));
  });
}
