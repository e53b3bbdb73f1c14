import type { KnownCharge, Standing } from "#app/domain/sale/standing.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** A charge as the books have it, with its facts in order. Money in cents. */
export type SeenCharge = KnownCharge & {
  providerId: string | null;
  amountCents: number;
  facts: string[];
};

/** What a view may say of a sale. `inCents`: all that came in. Money in cents. */
export type Said = {
  status: SaleStatus;
  api: Standing["api"];
  buyer: Standing["buyer"];
  chargeId: string | null;
  feeCents: number | null;
  /** Of the payment that counts. */
  refundedCents: number;
  netCents: number | null;
  inCents: number;
  /** Of all payments. */
  allRefundedCents: number;
  surplusCents: number;
  wrongCents: number;
  countedCents: number;
  hands: string;
};

/** What one view says; it need not know everything. */
export type Claim = { view: string; says: Partial<Said> };

/** A sale as the books have it, and as each view tells it. */
export type SeenSale = {
  id: string;
  status: SaleStatus;
  amountCents: number;
  feeCents: number | null;
  charges: SeenCharge[];
  facts: string[];
  claims: Claim[];
};

/** All that a seller's books say at a moment. `sold`: the completed sales by each report that counts them. */
export type Seen = { now: Date; sales: SeenSale[]; sold: { view: string; count: number; cents: number }[] };

/** What a standing claims, whoever asked for it. */
export function claimOf(view: string, { api, buyer, chargeId, money, hands }: Standing): Claim {
  const { inCents, refundedCents, surplusCents, wrongCents, countedCents, feeCents } = money;
  const says = { api, buyer, chargeId, inCents, surplusCents, wrongCents, countedCents, feeCents };
  return {
    view,
    says: {
      ...says,
      allRefundedCents: refundedCents,
      hands: hands
        .map(({ hand }) => hand)
        .sort()
        .join(),
    },
  };
}
