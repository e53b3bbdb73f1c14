import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { answerDue, rightEnds } from "#app/domain/refund/asked/refund-window.ts";
import { isAllOnItsWay } from "#app/domain/sale/standing.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { findGuarantee } from "#app/domain/storefront/find-guarantee.server.ts";

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
  const all = await db
    .select({ status: refunds.status, amountCents: refunds.amountCents, paidCents: charges.paidCents })
    .from(refunds)
    .innerJoin(charges, eq(charges.id, refunds.chargeId))
    .where(and(eq(charges.saleId, sale.saleId), eq(charges.status, "paid"), isNull(charges.surplusAt)))
    .orderBy(asc(refunds.requestedAt));
  // A part that the seller gives back leaves the rest to be asked for.
  if (isAllOnItsWay({ paidCents: all[0]?.paidCents ?? null, refunds: all })) return { state: "on-its-way" };
  if (!request) {
    const ends = rightEnds(sale.paidAt, await findGuarantee(db, sale.saleId));
    return ends > now ? { state: "right", ends } : { state: "question" };
  }
  const { createdAt: askedAt, answeredAt, answerText } = request;
  if (request.answer === "declined")
    return { state: "declined", answeredAt: answeredAt!, words: answerText ?? "" };
  if (request.kind === "right" || request.answer)
    return { state: request.failedAt ? "delayed" : "asked", askedAt };
  const due = answerDue(askedAt);
  return { state: "waiting", askedAt, due, isLate: due < now };
}
