import { and, asc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { REFUND_WINDOW } from "#app/domain/payments/refund-words.ts";
import { isSaleId } from "#app/domain/sales/sale-id.ts";
import type { SaleStatus } from "#app/domain/sales/states.ts";
import { notFound } from "#app/kit/refusal.ts";

/** What the sale's screen needs to offer and to tell of refunds. Money in cents. */
export type RefundView = {
  saleId: string;
  saleStatus: SaleStatus;
  payments: RefundPayment[];
};

export type RefundPayment = {
  chargeId: string;
  provider: string;
  amountCents: number;
  paidAt: Date;
  /** A second payment of a sale that had been paid. */
  isSurplus: boolean;
  status: "none" | "pending" | "refused" | "unconfirmed" | "done";
  why: string | null;
  requestedAt: Date | null;
  refundedAt: Date | null;
  /** Until when the provider gives it back. */
  until: Date;
};

/** A sale's payments and what became of their refunds. One statement. @throws Refusal not-found */
export async function showRefund(sellerId: string, saleId: string): Promise<RefundView> {
  if (!isSaleId(saleId)) throw notFound("Venda não encontrada");
  const rows = await db
    .select({ status: sales.status, charge: charges })
    .from(sales)
    .leftJoin(charges, and(eq(charges.saleId, sales.id), eq(charges.status, "paid")))
    .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)))
    .orderBy(asc(charges.paidAt));
  if (!rows[0]) throw notFound("Venda não encontrada");
  return {
    saleId,
    saleStatus: rows[0].status,
    payments: rows.flatMap(({ charge }) => {
      if (!charge) return [];
      const paidAt = charge.paidAt ?? charge.createdAt;
      return {
        chargeId: charge.id,
        provider: charge.provider,
        amountCents: charge.amountCents,
        paidAt,
        isSurplus: charge.surplusAt !== null,
        status: charge.refundStatus ?? ("none" as const),
        why: charge.refundFailure,
        requestedAt: charge.refundRequestedAt,
        refundedAt: charge.refundedAt,
        until: new Date(paidAt.getTime() + REFUND_WINDOW),
      };
    }),
  };
}
