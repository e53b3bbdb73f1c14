import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { answerDue, rightEnds } from "#app/domain/refund/asked/refund-window.ts";
import { whyByHand } from "#app/domain/refund/gives-back.server.ts";
import { wholeRefundOf } from "#app/domain/sale/standing.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { findGuarantee } from "#app/domain/storefront/find-guarantee.server.ts";

/**
 * How a purchase's money may come back, or how that is going. `right`: it may be asked for, and goes back by itself until
 * `ends`, or by the seller's hand where the provider gives it back no more; `question`: the seller may be asked; `requested`: the seller has the provider asked, which has not answered; `on-its-way`: it accepted; `delayed`: it did not do it yet, and is
 * asked again; `by-hand`: the seller is to give it back, outside the provider; `waiting`: for the seller's answer until `due`, or longer; `declined`: their words. Null: it went back, or
 * there is nothing to come back.
 */
export type WayBack =
  | ({ state: "right"; ends: Date; byHand: boolean } & Requested)
  | ({ state: "question" | "requested" } & Requested)
  | { state: "on-its-way" }
  | { state: "delayed" | "asked" | "by-hand"; askedAt: Date }
  | { state: "waiting"; askedAt: Date; due: Date; isLate: boolean }
  | { state: "declined"; answeredAt: Date; words: string };

/** When the seller asked for it, where the provider has not answered yet: the buyer may ask beside that. */
type Requested = { requestedAt: Date | null };

/** For a purchase whose reader the caller has let in. */
export async function findWayBack(
  sale: { saleId: string; status: SaleStatus; paidAt: Date },
  now = new Date(),
): Promise<WayBack | null> {
  if (sale.status !== "completed") return null;
  const [request] = await db.select().from(refundRequests).where(eq(refundRequests.saleId, sale.saleId));
  const payment = await db
    .select({
      paidCents: charges.paidCents,
      provider: charges.provider,
      paidAt: charges.paidAt,
      refund: {
        status: refunds.status,
        amountCents: refunds.amountCents,
        acceptedAt: refunds.acceptedAt,
        requestedAt: refunds.requestedAt,
      },
    })
    .from(charges)
    .leftJoin(refunds, eq(refunds.chargeId, charges.id))
    .where(and(eq(charges.saleId, sale.saleId), eq(charges.status, "paid"), isNull(charges.surplusAt)))
    .orderBy(asc(refunds.requestedAt));
  // A part that the seller gives back leaves the rest to be asked for.
  const asked = payment.flatMap(({ refund }) => refund ?? []);
  const whole = wholeRefundOf({ paidCents: payment[0]?.paidCents ?? null, refunds: asked });
  if (whole === "accepted") return { state: "on-its-way" };
  const pending = asked.find(({ status }) => status === "pending");
  const requestedAt = whole ? pending!.requestedAt : null;
  const byHand = whyByHand(payment[0], now) !== null;
  if (!request) {
    const ends = rightEnds(sale.paidAt, await findGuarantee(db, sale.saleId));
    return ends > now ? { state: "right", ends, byHand, requestedAt } : { state: "question", requestedAt };
  }
  const { createdAt: askedAt, answeredAt, answerText } = request;
  const isToGoBack = request.kind === "right" || request.answer === "granted";
  if (requestedAt && !isToGoBack) return { state: "requested", requestedAt };
  if (request.answer === "declined")
    return { state: "declined", answeredAt: answeredAt!, words: answerText ?? "" };
  if (isToGoBack) {
    const isLeftToHand = byHand || (request.failedAt !== null && request.nextTryAt === null);
    const isDelayed = request.failedAt !== null || asked.at(-1)?.status === "unconfirmed";
    return { state: isLeftToHand ? "by-hand" : isDelayed ? "delayed" : "asked", askedAt };
  }
  const due = answerDue(askedAt);
  return { state: "waiting", askedAt, due, isLate: due < now };
}
