import { and, asc, eq, inArray } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { givesBackWithin } from "#app/domain/refund/gives-back.server.ts";
import { isOwed } from "#app/domain/refund/is-owed.server.ts";
import { REFUND_NO, refusedWords } from "#app/domain/refund/refund-words.ts";
import { lastRefundOf, leftOf, type RefundState, refundStateOf } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { DAY } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** What the sale's screen needs to offer and to tell of refunds. Money in cents. */
export type RefundView = {
  saleId: string;
  saleStatus: SaleStatus;
  /** Whether the buyer asked for the money back and is to have it. */
  isOwed: boolean;
  payments: RefundPayment[];
};

export type RefundPayment = {
  chargeId: string;
  provider: string;
  /** As the database has it. */
  providerName: string;
  amountCents: number;
  /** What has not gone back. */
  leftCents: number;
  paidAt: Date;
  /** `counts`: the sale's payment; `surplus`: a second one; `wrong`: of another amount than asked for. */
  role: "counts" | "surplus" | "wrong";
  status: RefundState;
  why: string | null;
  requestedAt: Date | null;
  /** When the seller said that nothing is left to do about a refund that was refused or that nobody confirmed. */
  dismissedAt: Date | null;
  /** What of it is on its way back, where that is a part; null where all that is left is. */
  askedCents: number | null;
  refundedAt: Date | null;
  /** Until when the provider gives it back, and for how many days after it was paid. */
  until: Date;
  withinDays: number;
  /** Whether the provider can give back a part. */
  partial: boolean;
  /** Since when the provider calls it cancelled, and nothing says whether the money went back; null while it does not. */
  cancelledSince: Date | null;
  /** When the seller said that it did not; null while they have not. */
  cancelledCheckedAt: Date | null;
};

type Refund = typeof refunds.$inferSelect;

/** A sale's payments and what became of their refunds. @throws Refusal not-found */
export async function showRefund(sellerId: string, saleId: string): Promise<RefundView> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  const rows = await db
    .select({
      status: sales.status,
      cancelledSince: sales.cancelledSince,
      cancelledCheckedAt: sales.cancelledCheckedAt,
      charge: charges,
    })
    .from(sales)
    .leftJoin(charges, and(eq(charges.saleId, sales.id), inArray(charges.status, ["paid", "mispaid"])))
    .where(and(eq(sales.id, saleId), eq(sales.sellerId, sellerId)))
    .orderBy(asc(charges.paidAt));
  if (!rows[0]) throw notFound("Venda não encontrada");
  const ids = rows.flatMap(({ charge }) => charge?.id ?? []);
  const all =
    ids.length > 0
      ? await db
          .select()
          .from(refunds)
          .where(inArray(refunds.chargeId, ids))
          .orderBy(asc(refunds.requestedAt))
      : [];
  return {
    saleId,
    saleStatus: rows[0].status,
    isOwed: await isOwed(db, saleId),
    payments: rows.flatMap(({ charge }) =>
      charge
        ? asPayment(
            charge,
            all.filter((refund) => refund.chargeId === charge.id),
            rows[0]!,
          )
        : [],
    ),
  };
}

function asPayment(
  charge: typeof charges.$inferSelect,
  of: Refund[],
  sale: { status: SaleStatus; cancelledSince: Date | null; cancelledCheckedAt: Date | null },
): RefundPayment {
  const paidAt = charge.paidAt ?? charge.createdAt;
  const last = lastRefundOf(of);
  const role = roleOf(charge);
  const isCancelled = role === "counts" && sale.status === "completed";
  const isContested = role === "counts" && sale.status === "chargedback";
  const leftCents = isContested ? 0 : leftOf({ paidCents: charge.paidCents, refunds: of });
  const provider = pick(providers, charge.provider);
  const within = givesBackWithin(charge.provider) ?? 90 * DAY;
  return {
    chargeId: charge.id,
    provider: provider?.label ?? charge.provider,
    providerName: charge.provider,
    amountCents: charge.paidCents ?? charge.amountCents,
    leftCents,
    paidAt,
    role,
    status: isContested ? "contested" : refundStateOf({ paidCents: charge.paidCents, refunds: of }),
    why: last ? whyNot(last, role) : null,
    askedCents: last?.status === "pending" && last.amountCents < leftCents ? last.amountCents : null,
    requestedAt: last?.requestedAt ?? null,
    dismissedAt: last?.dismissedAt ?? null,
    refundedAt: of.findLast(({ status }) => status === "done")?.endedAt ?? null,
    until: new Date(paidAt.getTime() + within),
    withinDays: Math.floor(within / DAY),
    partial: provider?.refunds.partial ?? false,
    cancelledSince: isCancelled ? sale.cancelledSince : null,
    cancelledCheckedAt: isCancelled ? sale.cancelledCheckedAt : null,
  };
}

function roleOf({ status, surplusAt }: typeof charges.$inferSelect): RefundPayment["role"] {
  if (status === "mispaid") return "wrong";
  return surplusAt ? "surplus" : "counts";
}

function whyNot({ status, failureKind, failureDetail }: Refund, role: RefundPayment["role"]): string | null {
  if (status === "unconfirmed" && failureKind) return REFUND_NO.unknown;
  if (status === "unconfirmed") return role === "counts" ? REFUND_NO.unconfirmed : REFUND_NO.unconfirmedExtra;
  return status === "refused" && failureKind ? refusedWords(failureKind, failureDetail ?? "") : null;
}
