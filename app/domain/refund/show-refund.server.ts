import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale, ownById } from "#app/db/conditions.server.ts";
import type { ChargeMethod } from "#app/db/schema/lists.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isExtraDisputed } from "#app/domain/charge/check-times.server.ts";
import { findRefundWindow } from "#app/domain/gateway/method-capabilities.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { isOwed } from "#app/domain/refund/is-owed.server.ts";
import {
  REFUND_REFUSALS,
  REFUSED_ADVICE,
  refundFailureText,
  UNCONFIRMED_DISPUTED,
} from "#app/domain/refund/refund-texts.ts";
import {
  computeUnrefundedCents,
  findDecisiveRefund,
  type PaymentKind,
  paymentKindOf,
  type RefundState,
  resolveRefundState,
} from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { DAY } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The refund data of the sale's screen. Money in cents. */
export type RefundView = {
  saleId: string;
  saleStatus: SaleStatus;
  /** Whether it cost nothing: there is no payment that could go back, or be contested. */
  isFree: boolean;
  /** Whether the buyer requested a refund and is entitled to it. */
  isOwed: boolean;
  payments: RefundPayment[];
};

export type RefundPayment = {
  chargeId: string;
  provider: string;
  /** The provider's name in the database. */
  providerName: string;
  method: ChargeMethod;
  amountCents: number;
  /** What was not refunded. */
  leftCents: number;
  paidAt: Date;
  kind: PaymentKind;
  status: RefundState;
  /** Whether it does not count, and is disputed: its bank decides. */
  isDisputed: boolean;
  reason: string | null;
  requestedAt: Date | null;
  /** Whether its refund is automatic and is sent to its provider later: not while it is disputed. */
  isUnsent: boolean;
  /** When the seller dismissed a refund that was refused or unconfirmed. */
  dismissedAt: Date | null;
  /** The pending refund's amount where it is partial; null where it is all that is left. */
  requestedCents: number | null;
  refundedAt: Date | null;
  /** Whether its seller recorded the newest refund that is done. */
  isRefundRecorded: boolean;
  /** Until when the provider refunds it, and for how many days after the payment. */
  refundableUntil: Date;
  withinDays: number;
  /** Whether the provider can refund a part. */
  partial: boolean;
  /** Since when the provider reports it as cancelled, which leaves open whether the money went back; null otherwise. */
  cancelledSince: Date | null;
  /** When the seller stated that it did not go back; null while they have not. */
  cancelledCheckedAt: Date | null;
};

type Refund = typeof refunds.$inferSelect;

/** A sale's payments and the state of their refunds. @throws Refusal not-found */
export async function showRefund(sellerId: string, saleId: string): Promise<RefundView> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  const rows = await db
    .select({
      status: sales.status,
      isFree: sql<boolean>`${sales.amountCents} = 0`,
      cancelledSince: sales.cancelledSince,
      cancelledCheckedAt: sales.cancelledCheckedAt,
      charge: charges,
      isDisputed: isExtraDisputed(sql`${charges}`),
    })
    .from(sales)
    .leftJoin(charges, and(ofSale(charges), inArray(charges.status, ["paid", "mispaid"])))
    .where(ownById(sales, sellerId, saleId))
    .orderBy(asc(charges.paidAt));
  if (!rows[0]) throw notFound("Venda não encontrada");
  const ids = rows.flatMap(({ charge }) => charge?.id ?? []);
  const all =
    ids.length > 0
      ? await db
          .select()
          .from(refunds)
          .where(and(eq(refunds.sellerId, sellerId), inArray(refunds.chargeId, ids)))
          .orderBy(asc(refunds.requestedAt))
      : [];
  return {
    saleId,
    saleStatus: rows[0].status,
    isFree: rows[0].isFree,
    isOwed: await isOwed(db, saleId),
    payments: rows.flatMap(({ charge, isDisputed }) =>
      charge
        ? toRefundPayment(
            { ...charge, isDisputed },
            all.filter((refund) => refund.chargeId === charge.id),
            rows[0]!,
          )
        : [],
    ),
  };
}

function toRefundPayment(
  charge: typeof charges.$inferSelect & { isDisputed: boolean },
  chargeRefunds: Refund[],
  sale: { status: SaleStatus; cancelledSince: Date | null; cancelledCheckedAt: Date | null },
): RefundPayment {
  const paidAt = charge.paidAt ?? charge.createdAt;
  const lastRefund = findDecisiveRefund(chargeRefunds);
  const lastDone = chargeRefunds.findLast(({ status }) => status === "done");
  const kind = paymentKindOf(charge);
  const isCancelled = kind === "counts" && sale.status === "completed";
  const isContested = kind === "counts" && sale.status === "chargedback";
  const leftCents = isContested
    ? 0
    : computeUnrefundedCents({ paidCents: charge.paidCents, refunds: chargeRefunds });
  const provider = pick(providers, charge.provider);
  const refundWindow = findRefundWindow(charge) ?? 90 * DAY;
  return {
    chargeId: charge.id,
    provider: provider?.label ?? charge.provider,
    providerName: charge.provider,
    method: charge.method,
    amountCents: charge.paidCents ?? charge.amountCents,
    leftCents,
    paidAt,
    kind,
    status: isContested
      ? "contested"
      : resolveRefundState({ paidCents: charge.paidCents, refunds: chargeRefunds }),
    isDisputed: charge.isDisputed,
    reason: lastRefund ? failureReason(lastRefund, kind, charge.isDisputed) : null,
    requestedCents:
      lastRefund?.status === "pending" && lastRefund.amountCents < leftCents ? lastRefund.amountCents : null,
    requestedAt: lastRefund?.requestedAt ?? null,
    isUnsent: (lastRefund?.sendAt ?? null) !== null,
    dismissedAt: lastRefund?.dismissedAt ?? null,
    refundedAt: lastDone?.endedAt ?? null,
    isRefundRecorded: lastDone?.origin === "recorded",
    refundableUntil: new Date(paidAt.getTime() + refundWindow),
    withinDays: Math.floor(refundWindow / DAY),
    partial: provider?.refunds.partial ?? false,
    cancelledSince: isCancelled ? sale.cancelledSince : null,
    cancelledCheckedAt: isCancelled ? sale.cancelledCheckedAt : null,
  };
}

function failureReason(
  { status, failureKind, failureDetail }: Refund,
  kind: PaymentKind,
  isDisputed: boolean,
): string | null {
  // What to do otherwise, to try again, might return it twice.
  if (status === "unconfirmed" && isDisputed) return UNCONFIRMED_DISPUTED;
  if (status === "unconfirmed" && failureKind)
    return failureKind === "busy" ? REFUND_REFUSALS.stillOpen : REFUND_REFUSALS.unknown;
  if (status === "unconfirmed")
    return kind === "counts" ? REFUND_REFUSALS.unconfirmed : REFUND_REFUSALS.unconfirmedExtra;
  if (!failureKind) return null;
  const text = refundFailureText(failureKind, failureDetail ?? "");
  return failureKind === "refused" && !isDisputed
    ? `${text.replace(/\.$/, "")}. ${REFUSED_ADVICE[kind === "counts" ? "sale" : "extra"]}`
    : text;
}
