import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { itemCode, type NewsLine } from "#app/domain/outbox/news.ts";
import type { ReadNews } from "#app/domain/outbox/telling/draw-news.server.ts";
import { holdsAccess } from "#app/domain/sale/holds-access.server.ts";
import { purchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { SHORTEST_GUARANTEE_DAYS } from "#app/domain/storefront/checkout-settings.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { sign, unseal } from "#app/platform/secrets.server.ts";

/** A sale as destinations are told of it; null where it is gone. */
export const readNews: ReadNews = async ({ saleId, aboutId, event, at, email }) => {
  const [row] = await select(saleId, aboutId);
  if (!row) return null;
  const { sale, seller, product, lines, pix, part } = row;
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
      createdAt: sale.createdAt,
      completedAt: sale.completedAt,
      refundedAt: sale.refundedAt,
      amountCents: sale.amountCents,
      feeCents: sale.feeCents,
      refundedCents: part ? part.totalCents : sale.refundedCents,
      refundCents: refundOf(event, sale, row),
      guaranteeDays: sale.guaranteeDays ?? SHORTEST_GUARANTEE_DAYS,
    },
    product: {
      id: sale.productId,
      name: product.name,
      checkoutUrl: env.APP_URL + checkoutOf(sale.productId, product),
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
    campaign: campaignOf(sale),
    ads: sale.adConsent ? (sale.adIds ?? {}) : null,
    pix: pix && {
      code: pix.code,
      expiresAt: pix.expiresAt === null ? null : new Date(pix.expiresAt),
      url: env.APP_URL + paths.pix(sale.id),
    },
    refundRequest: event === "refund.requested" ? row.asked : null,
    accessUrl: purchaseUrl(sale, sale.customerEmail),
    givenBack: sale.status === "refunded" || sale.status === "chargedback",
    dispute: row.dispute,
    suspended: sale.accessSuspendedAt !== null,
    held: event === "access.revoked" && buyer ? await heldBy(sale.sellerId, buyer) : [],
  };
};

/** What went back with a piece of news: the part it is about, or all that had not gone back in parts. */
function refundOf(
  event: NewsEvent,
  { amountCents }: { amountCents: number },
  { part, partsCents }: { part: Part | null; partsCents: number },
): number | null {
  if (event === "sale.partially_refunded") return part?.amountCents ?? null;
  return event === "sale.refunded" || event === "sale.chargedback" ? amountCents - partsCents : null;
}

/** A part that went back, and all parts up to it. */
type Part = { amountCents: number; totalCents: number };

/** What an e-mail has bought from a seller and keeps. */
async function heldBy(sellerId: string, email: string): Promise<string[]> {
  const rows = await db
    .select({
      kind: saleLines.kind,
      itemId: sql<
        number | null
      >`coalesce(${saleLines.productId}, ${saleLines.orderBumpId}, ${saleLines.upsellOfferId})`.mapWith(
        Number,
      ),
    })
    .from(sales)
    .innerJoin(saleLines, eq(saleLines.saleId, sales.id))
    .where(and(eq(sales.customerEmail, email), eq(sales.sellerId, sellerId), holdsAccess));
  return [...new Set(rows.flatMap((line) => itemCode(line) ?? []))];
}

function select(saleId: string, aboutId: string) {
  return db
    .select({
      sale: sales,
      asked: refundRequests.kind,
      dispute: disputes.status,
      seller: { name: sellers.name, company: sellers.company, email: sellers.email },
      product: { name: products.name, checkoutSlug: products.checkoutSlug },
      lines: sql<NewsLine[]>`(
        select coalesce(json_agg(json_build_object('id', l.id, 'kind', l.kind, 'name', l.name, 'priceCents', l.price_cents,
          'itemId', coalesce(l.product_id, l.order_bump_id, l.upsell_offer_id)) order by l.position), '[]')
        from ${saleLines} l where l.sale_id = ${sales.id})`,
      part: sql<Part | null>`(
        select json_build_object('amountCents', r.amount_cents, 'totalCents', (
          select sum(o.amount_cents) from refunds o
          where o.charge_id = r.charge_id and o.status = 'done' and (o.ended_at, o.id) <= (r.ended_at, r.id)))
        from refunds r where r.id = ${aboutId})`,
      // Told of before: what is left goes back with the last of it.
      partsCents: sql<number>`(select coalesce(sum((e.data ->> 'amountCents')::int), 0)::int from sale_events e
        where e.sale_id = ${sales.id} and e.kind = 'partly_refunded')`,
      // The one the news is about, else the one that was paid, else the newest.
      pix: sql<{ code: string | null; expiresAt: string | null } | null>`(
        select json_build_object('code', c.pix_code, 'expiresAt', c.expires_at)
        from ${charges} c where c.sale_id = ${sales.id} and c.pix_code is not null
        order by (c.id = ${aboutId}) desc, (c.status = 'paid' and c.surplus_at is null) desc, c.created_at desc limit 1)`,
    })
    .from(sales)
    .leftJoin(refundRequests, eq(refundRequests.id, aboutId))
    .leftJoin(disputes, eq(disputes.id, aboutId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .innerJoin(products, eq(products.id, sales.productId))
    .where(eq(sales.id, saleId));
}

function checkoutOf(id: number, { checkoutSlug }: { checkoutSlug: string | null }): string {
  return paths.checkout({ id, checkoutSlug });
}

function campaignOf(sale: typeof sales.$inferSelect): Record<string, string> {
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
