import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { trackingConnections, trackingEvents, trackingProducts } from "#app/db/schema/tracking.server.ts";
import { platformName, type TrackedOrder } from "#app/domain/tracking/order-payload.server.ts";
import { eventTypeOf, type OrderState } from "#app/domain/tracking/states.ts";

/** A sale as the tracking service is told of it, and what its event row needs beside it. */
export type TrackedSale = {
  order: TrackedOrder;
  about: { sellerId: string; platform: string; transactionId: string | null };
};

type Line = { kind: string; itemId: string | null; lineId: string; name: string; priceCents: number };

const SWITCH = {
  purchase: trackingConnections.onPurchase,
  refund: trackingConnections.onRefund,
  chargeback: trackingConnections.onChargeback,
};

/**
 * A sale in the state to report, or null where its seller does not have it reported: tracking off, no token, the event or
 * the product switched off. `always` leaves the last two aside.
 */
export async function readTrackedOrder(
  tx: Db,
  saleId: string,
  state: OrderState,
  { always = false, sellerId }: { always?: boolean; sellerId?: string } = {},
): Promise<TrackedSale | null> {
  const wanted: (SQL | undefined)[] = always
    ? []
    : [
        eq(SWITCH[eventTypeOf(state)], true),
        or(sql`${trackingProducts.isEnabled} is null`, trackingProducts.isEnabled),
      ];
  const [row] = await select(tx, [
    eq(sales.id, saleId),
    sellerId ? eq(sales.sellerId, sellerId) : undefined,
    ...wanted,
  ]);
  if (!row) return null;
  return {
    order: orderOf(row, state),
    about: {
      sellerId: row.sale.sellerId,
      platform: row.platform ?? platformName(row.sourceId),
      transactionId: row.charge?.providerId ?? null,
    },
  };
}

function select(tx: Db, conditions: (SQL | undefined)[]) {
  return tx
    .select({
      sale: sales,
      sourceId: trackingConnections.sourceId,
      // Once told, an order's platform stays, whatever the seller calls the source by now.
      platform: sql<string | null>`(
        select e.payload->>'platform' from ${trackingEvents} e where e.sale_id = ${sales.id} limit 1)`,
      lines: sql<Line[]>`(
        select json_agg(json_build_object('kind', l.kind, 'lineId', l.id, 'name', l.name, 'priceCents', l.price_cents,
          'itemId', coalesce(l.product_id, l.order_bump_id, l.upsell_offer_id)::text) order by l.position)
        from ${saleLines} l where l.sale_id = ${sales.id})`,
      charge: sql<{ providerId: string | null; feeCents: number | null } | null>`(
        select json_build_object('providerId', c.provider_id, 'feeCents', c.fee_cents)
        from ${charges} c
        where c.sale_id = ${sales.id} and c.surplus_at is null
        order by (c.status = 'paid') desc, c.created_at desc limit 1)`,
    })
    .from(sales)
    .innerJoin(trackingConnections, eq(trackingConnections.sellerId, sales.sellerId))
    .leftJoin(trackingProducts, eq(trackingProducts.productId, sales.productId))
    .where(
      and(
        isNotNull(trackingConnections.enabledAt),
        isNotNull(trackingConnections.apiTokenSealed),
        ...conditions,
      ),
    );
}

type Row = Awaited<ReturnType<typeof select>>[number];

function orderOf({ sale, lines, charge }: Row, state: OrderState): TrackedOrder {
  return {
    saleId: sale.id,
    state,
    paymentMethod: sale.paymentMethod,
    createdAt: sale.createdAt,
    approvedAt: sale.completedAt,
    refundedAt: sale.refundedAt,
    customer: {
      name: sale.customerName,
      email: sale.customerEmail,
      phone: sale.customerPhone,
      documentSealed: sale.customerDocumentSealed,
      ip: sale.customerIp,
    },
    lines: lines.map((line) => ({ id: lineId(line), name: line.name, priceCents: line.priceCents })),
    campaign: {
      ...sale.campaign,
      utm_source: sale.utmSource,
      utm_medium: sale.utmMedium,
      utm_campaign: sale.utmCampaign,
      utm_term: sale.utmTerm,
      utm_content: sale.utmContent,
    },
    totalCents: sale.amountCents,
    feeCents: charge?.feeCents ?? null,
  };
}

/** What a line is called there: bumps and offers are numbered by themselves, so their kind is told too. */
function lineId({ kind, itemId, lineId }: Line): string {
  if (itemId === null) return lineId;
  return kind === "product" ? itemId : `${kind}-${itemId}`;
}
