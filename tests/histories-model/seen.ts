import type { KnownCharge, PaymentSummary } from "#app/domain/sale/payment-summary.ts";
import type { KnownRefund } from "#app/domain/sale/payments.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** A charge in the books, with its events in order. Money in cents. */
export type SeenCharge = Omit<KnownCharge, "refunds"> & {
  refunds: Pick<KnownRefund, "status" | "amountCents">[];
  providerId: string | null;
  amountCents: number;
  events: string[];
};

/** What a view can report of a sale. `inCents`: total received. Money in cents. */
export type ReportedState = {
  status: SaleStatus;
  api: PaymentSummary["apiStatus"];
  buyer: PaymentSummary["buyer"];
  chargeId: string | null;
  feeCents: number | null;
  refundedCents: number;
  netCents: number | null;
  inCents: number;
  surplusCents: number;
  wrongCents: number;
  countedCents: number;
  actionItems: string;
  /** Whether a dispute waits for its decision. */
  disputed: boolean;
};

/** What one view reports; it may report only a part. */
export type Claim = { view: string; says: Partial<ReportedState> };

/** A sale in the books and in each view. */
export type SeenSale = {
  id: string;
  status: SaleStatus;
  amountCents: number;
  feeCents: number | null;
  charges: SeenCharge[];
  events: string[];
  claims: Claim[];
};

/** A seller's books at one moment. `sold`: the completed sales by each report that counts them. */
export type Seen = { now: Date; sales: SeenSale[]; sold: SeenReport[] };

/** `netCents`: the net amount; null where the report does not show it. */
type SeenReport = { view: string; count: number; cents: number; netCents: number | null };

/** What a payment summary claims, whoever reads it. */
export function claimOf(
  view: string,
  { apiStatus: api, buyer, chargeId, payments, money, actionItems }: PaymentSummary,
): Claim {
  const {
    receivedCents: inCents,
    refundedCents,
    overpaidCents: surplusCents,
    mismatchedCents: wrongCents,
    countedCents,
    feeCents,
  } = money;
  const says = { api, buyer, chargeId, inCents, surplusCents, wrongCents, countedCents, feeCents };
  return {
    view,
    says: {
      ...says,
      refundedCents,
      netCents: payments.length > 0 ? money.netCents : null,
      actionItems: actionItems
        .map(({ kind: actionItem }) => actionItem)
        .sort()
        .join(),
    },
  };
}
