import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { answerDue, rightEnds } from "#app/domain/refund/asked/refund-window.ts";
import { lastRefundOf } from "#app/domain/sale/standing.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * How a purchase's money may come back, or how that is going. `right`: it may be asked for, and goes back by itself until
 * `ends`; `question`: the seller may be asked; `on-its-way`: the provider was asked; `delayed`: it did not do it yet, and is
 * asked again; `waiting`: for the seller's answer until `due`, or longer; `declined`: their words. Null: it went back, or
 * there is nothing to come back.
 */
export type WayBack =
  | { state: "right"; ends: Date }
  | { state: "question" | "on-its-way" }
  | { state: "delayed" | "asked"; askedAt: Date }
  | { state: "waiting"; askedAt: Date; due: Date; isLate: boolean }
  | { state: "declined"; answeredAt: Date; words: string };

/** For a purchase whose reader the caller has let in. */
export async function findWayBack(
  sale: { saleId: string; status: SaleStatus; paidAt: Date },
  now = new Date(),
): Promise<WayBack | null> {
  if (sale.status !== "completed") return null;
  const [request] = await db.select().from(refundRequests).where(eq(refundRequests.saleId, sale.saleId));
  if (request?.kind === "question" && !request.answer) {
    const due = answerDue(request.createdAt);
    return { state: "waiting", askedAt: request.createdAt, due, isLate: due < now };
  }
  if (request?.answer === "declined")
    return { state: "declined", answeredAt: request.answeredAt!, words: request.answerText ?? "" };
  const all = await db
    .select({ status: refunds.status, amountCents: refunds.amountCents })
    .from(refunds)
    .innerJoin(charges, eq(charges.id, refunds.chargeId))
    .where(and(eq(charges.saleId, sale.saleId), eq(charges.status, "paid"), isNull(charges.surplusAt)))
    .orderBy(asc(refunds.requestedAt));
  if (request) {
    if (lastRefundOf(all)?.status === "pending") return { state: "on-its-way" };
    return { state: request.failedAt ? "delayed" : "asked", askedAt: request.createdAt };
  }
  if (all.some(({ status }) => status === "pending")) return { state: "on-its-way" };
  const ends = rightEnds(sale.paidAt);
  return ends > now ? { state: "right", ends } : { state: "question" };
}
