import { eq, sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { orderedSlug } from "#app/domain/catalog/ordered-slug.server.ts";
import type { NotificationLine } from "#app/domain/delivery/sale-notification.ts";
import type { ReadNotification } from "#app/domain/delivery/sending/render-delivery.server.ts";
import { priceByMethod, sumDiscounts, type UnpaidLine } from "#app/domain/pricing/quote.ts";
import { rejectedDisputesOf } from "#app/domain/sale/dispute/rejected-disputes.server.ts";
import { findOwned, OWNS_NOTHING } from "#app/domain/sale/notification/find-owned.server.ts";
import { buildPaymentUrl, buildPurchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { soldLineFields } from "#app/domain/sale/sold-line.server.ts";
import { MIN_GUARANTEE_DAYS } from "#app/domain/storefront/checkout-settings.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { sign, unseal } from "#app/platform/secrets.server.ts";

/** The data of a sale for destinations; null where it no longer exists. */
export const readNotification: ReadNotification = async (request) => {
  const { event, at, email, destinationId } = request;
  const row = await readRow(request);
  if (!row) return null;
  const { seller, product, pix, partialRefund } = row;
  const isOfCard = event === "sale.refused" && row.isCardRefused;
  const { lines, ...sale } = priceAt(event, isOfCard, { ...row.sale, lines: row.lines });
  const buyer = email ?? sale.customerEmail;
  return {
    event,
    at,
    isTest: false,
    seller: { id: sale.sellerId, name: seller.company || seller.name, email: seller.email },
    sale: {
      id: sale.id,
      parentId: sale.parentSaleId,
      paymentMethod: sale.paymentMethod,
      instalments: sale.paymentMethod === "card" ? row.instalments : null,
      coupon: sale.couponCode === null ? null : { code: sale.couponCode, discountCents: sumDiscounts(lines) },
      offer: sale.offerId ? { id: sale.offerId, name: sale.offerName! } : null,
      createdAt: sale.createdAt,
      completedAt: sale.completedAt,
      refundedAt: sale.refundedAt,
      amountCents: sale.amountCents,
      feeCents: sale.feeCents,
      refundedCents: partialRefund ? partialRefund.totalCents : sale.refundedCents,
      refundedBeforeCents: row.partialRefunds.beforeCents,
      refundCents: computeRefundCents(event, sale, row),
      guaranteeDays: sale.guaranteeDays ?? MIN_GUARANTEE_DAYS,
      rejectedDisputes: row.rejectedDisputes,
    },
    product: {
      id: sale.productId,
      name: product.name,
      checkoutUrl: env.APP_URL + checkoutPath(sale.productId, product),
    },
    lines,
    customer: {
      name: sale.customerName,
      email: buyer,
      phone: sale.customerPhone,
      document: sale.customerDocumentSealed && unseal(sale.customerDocumentSealed),
      ip: sale.customerIp,
      key: sign(`buyer:${sale.sellerId}:${sale.customerEmail ?? sale.customerPhone ?? sale.id}`),
    },
    campaign: collectCampaign(sale),
    ads: sale.adConsent ? sale.adIds : null,
    // An earlier code of the order is not what a cancelled card was to be paid with.
    pix:
      isOfCard || !pix
        ? null
        : {
            code: pix.code,
            expiresAt: pix.expiresAt === null ? null : new Date(pix.expiresAt),
            url: buildPaymentUrl(sale, sale.customerEmail),
          },
    refundRequest: event === "refund.requested" ? row.refundRequestKind : null,
    accessUrl: buildPurchaseUrl(sale, sale.customerEmail),
    moneyReturned: sale.status === "refunded" || sale.status === "chargedback",
    dispute: row.dispute,
    wasDisputed: row.wasDisputed,
    suspended: sale.accessSuspendedAt !== null,
    ...(event === "access.revoked" && buyer ? await findOwned(sale, buyer, destinationId) : OWNS_NOTHING),
  };
};

/** An event of one charge names its method and amount, whichever way its order was sent last. */
function priceAt<S extends typeof sales.$inferSelect & { lines: Row["lines"] }>(
  event: DeliveryEvent,
  isOfCard: boolean,
  sale: S,
): S {
  if (!CHARGE_EVENTS.includes(event)) return sale;
  const method = isOfCard ? "card" : "pix";
  return { ...priceByMethod(sale, method), paymentMethod: method };
}

/** A sale is refused where its PIX is refused or cancelled, or its card is cancelled, and by no declined card. */
const CHARGE_EVENTS: DeliveryEvent[] = ["pix.generated", "pix.expired", "sale.refused"];

/** The amount refunded in an event: its part, or all that was not refunded in parts. */
function computeRefundCents(
  event: DeliveryEvent,
  { amountCents }: { amountCents: number },
  { partialRefund, partialRefunds }: { partialRefund: PartialRefund | null; partialRefunds: PartialRefunds },
): number | null {
  if (event === "sale.partially_refunded") return partialRefund?.amountCents ?? null;
  return event === "sale.refunded" || event === "sale.chargedback"
    ? amountCents - partialRefunds.totalCents
    : null;
}

/** A partial refund, and the total up to it. */
type PartialRefund = { amountCents: number; totalCents: number };

/** The partial refunds of a sale, and those up to the event. */
type PartialRefunds = { totalCents: number; beforeCents: number };

/** Deliveries claimed together share a statement. */
const readRow = batch<About, Row | null>(50, async (group) => {
  const rows = await select(group);
  const found = new Map(rows.map((row) => [row.nth, row]));
  return group.map((_, nth) => found.get(nth) ?? null);
});

/** A sale, and what happened to it. */
type About = { sellerId: string; saleId: string; aboutId: string; at: Date };
type Row = Awaited<ReturnType<typeof select>>[number];

function select(group: About[]) {
  const asked = JSON.stringify(
    group.map(({ sellerId, saleId, aboutId, at }, nth) => ({
      ...{ nth, seller_id: sellerId, id: saleId, about_id: aboutId, at },
    })),
  );
  return db
    .select({
      nth: sql<number>`w.nth`,
      sale: sales,
      refundRequestKind: sql<(typeof refundRequests.$inferSelect)["kind"] | null>`(
        select q.kind from ${refundRequests} q where q.seller_id = w.seller_id and q.id = w.about_id)`,
      dispute: sql<(typeof disputes.$inferSelect)["status"] | null>`(
        select q.status from ${disputes} q where q.seller_id = w.seller_id and q.id = w.about_id)`,
      // A payment that is booked with its dispute comes before it: its own events are about the sale.
      wasDisputed: sql<boolean>`exists (select from ${disputes} q where q.seller_id = w.seller_id and q.sale_id = w.id
        and (q.opened_at < w.at or q.opened_at = w.at and w.about_id <> w.id)
        and (q.decided_at is null or q.decided_at > w.at))`,
      rejectedDisputes: rejectedDisputesOf(sql`${sales}`),
      seller: { name: sellers.name, company: sellers.company, email: sellers.email },
      product: { name: products.name, checkoutSlug: orderedSlug },
      lines: sql<(NotificationLine & UnpaidLine)[]>`(
        select coalesce(json_agg(json_build_object('id', l.id, 'kind', l.kind, ${soldLineFields}, 'quantity', l.quantity,
          'itemId', l.item_id) order by l.position), '[]')
        from ${saleLines} l where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id})`,
      partialRefund: sql<PartialRefund | null>`(
        select json_build_object('amountCents', r.amount_cents, 'totalCents', (
          select sum(o.amount_cents) from refunds o
          where o.seller_id = r.seller_id and o.charge_id = r.charge_id and o.status = 'done' and (o.ended_at, o.id) <= (r.ended_at, r.id)))
        from refunds r where r.seller_id = w.seller_id and r.id = w.about_id)`,
      // Delivered before: the last event covers the rest.
      partialRefunds: sql<PartialRefunds>`(select json_build_object('totalCents', coalesce(sum(p.cents), 0),
          'beforeCents', coalesce(sum(p.cents) filter (where e.at <= w.at), 0))
        from sale_events e cross join lateral (select (e.data ->> 'amountCents')::int as cents) p
        where e.seller_id = ${sales.sellerId} and e.sale_id = ${sales.id} and e.kind = 'partly_refunded')`,
      // The charge of this event, else the paid one, else the newest.
      pix: sql<{ code: string | null; expiresAt: string | null } | null>`(
        select json_build_object('code', c.pix_code, 'expiresAt', c.expires_at)
        from ${charges} c where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.pix_code is not null
        order by (c.id = w.about_id) desc, (c.status = 'paid' and c.overpaid_at is null) desc, c.created_at desc limit 1)`,
      // Where a destination has one record per order, its event names no charge: the newest that may have ended it.
      isCardRefused: sql<boolean>`coalesce((select c.method = 'card' from ${charges} c
        where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id}
          and (c.id = w.about_id or w.about_id = w.id and (c.status = 'cancelled' or c.method = 'pix' and c.status = 'failed'))
        order by c.created_at desc limit 1), false)`,
      // Of this event's card, else of the one that paid, else of the newest.
      instalments: sql<number | null>`(
        select c.instalments from ${charges} c
        where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.method = 'card'
        order by (c.id = w.about_id) desc, (c.status = 'paid' and c.overpaid_at is null) desc, c.created_at desc limit 1)`,
    })
    .from(sales)
    .innerJoin(
      sql`jsonb_to_recordset(${asked}::text::jsonb) as w(nth int, seller_id uuid, id uuid, about_id uuid, at timestamptz)`,
      sql`w.seller_id = ${sales.sellerId} and w.id = ${sales.id}`,
    )
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .innerJoin(products, eq(products.id, sales.productId))
    .where(
      anyOf(
        sales.id,
        group.map(({ saleId }) => saleId),
      ),
    );
}

function checkoutPath(id: number, { checkoutSlug }: { checkoutSlug: string | null }): string {
  return paths.checkout({ id, checkoutSlug });
}

function collectCampaign(sale: typeof sales.$inferSelect): Record<string, string> {
  const all = {
    ...sale.campaign,
    utm_source: sale.utmSource,
    utm_medium: sale.utmMedium,
    utm_campaign: sale.utmCampaign,
    utm_term: sale.utmTerm,
    utm_content: sale.utmContent,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
