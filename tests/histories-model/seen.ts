import type { KnownRefund } from "#app/domain/sale/payments.ts";
import type { KnownCharge, Standing } from "#app/domain/sale/standing.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** A charge as the books have it, with its facts in order. Money in cents. */
export type SeenCharge = Omit<KnownCharge, "refunds"> & {
  refunds: Pick<KnownRefund, "status" | "amountCents">[];
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
  refundedCents: number;
  netCents: number | null;
  inCents: number;
  surplusCents: number;
  wrongCents: number;
  countedCents: number;
  hands: string;
  /** Whether a dispute waits for its decision. */
  disputed: boolean;
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
export type Seen = { now: Date; sales: SeenSale[]; sold: SeenReport[] };

/** `netCents`: what remains of them; null where the report does not say. */
type SeenReport = { view: string; count: number; cents: number; netCents: number | null };

/** What a standing claims, whoever asked for it. */
export function claimOf(view: string, { api, buyer, chargeId, payments, money, hands }: Standing): Claim {
  const { inCents, refundedCents, surplusCents, wrongCents, countedCents, feeCents } = money;
  const says = { api, buyer, chargeId, inCents, surplusCents, wrongCents, countedCents, feeCents };
  return {
    view,
    says: {
      ...says,
      refundedCents,
      netCents: payments.length > 0 ? money.netCents : null,
      hands: hands
        .map(({ hand }) => hand)
        .sort()
        .join(),
    },
  };
}
