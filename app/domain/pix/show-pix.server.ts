import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale } from "#app/db/conditions.server.ts";
import type { Campaign } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { orderableSlug } from "#app/domain/catalog/ordered-slug.server.ts";
import { isBumpGone, isForSale, isPayable } from "#app/domain/charge/conditions.server.ts";
import { paymentSummaryColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { takesCardsOf } from "#app/domain/gateway/find-gateway.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { priceByMethod, type UnpaidLine } from "#app/domain/pricing/quote.ts";
import { hadCode, type PaymentSummary, summarizePayments } from "#app/domain/sale/payment-summary.ts";
import { soldLineFields } from "#app/domain/sale/sold-line.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import {
  type Storefront,
  storefrontColumns,
  toStorefront,
} from "#app/domain/storefront/find-storefront.server.ts";
import { pick } from "#app/kit/pick.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";

/** The data of the payment screen. Money in cents. */
export type PixScreen = {
  saleId: string;
  saleStatus: SaleStatus;
  /** `pix` or `card`: how the buyer chose to pay. */
  paymentMethod: string;
  sellerId: string;
  productId: number;
  /** The first line's name: the product, or the accepted upsell. */
  productName: string;
  /** The sale's lines, with name and price as sold by PIX. */
  lines: UnpaidLine[];
  /** The coupon that lowered their prices. */
  couponCode: string | null;
  /** Whether its product, or its upsell, is still for sale: only then a new PIX is created. */
  isForSale: boolean;
  /** Whether one of its bumps is not: then no new PIX is created, either. */
  isBumpGone: boolean;
  /** Whether its buyer's data was removed: then no new PIX is created, either. */
  isAnonymized: boolean;
  /** Whether it may be paid with a card instead. */
  takesCards: boolean;
  /** Whether it has, or had, a code that a buyer could pay. */
  hadCode: boolean;
  parentSaleId: string | null;
  /** Of the checkout where it can be ordered again. */
  checkoutSlug: string | null;
  /** What it costs with a PIX. */
  amountCents: number;
  /** Whether mails can reach the buyer. */
  hasMail: boolean;
  customerEmail: string | null;
  sellerName: string;
  /** When the seller closed the account; null while it is open. */
  shopClosedAt: Date | null;
  /** The buyer's campaign, from the checkout's URL. */
  campaign: Campaign;
  charge: PixCharge | null;
  paymentSummary: PaymentSummary;
  /** The look of the seller's pages, and the seller's contacts. */
  shop: Storefront;
};

export type PixCharge = {
  id: string;
  status: (typeof charges.$inferSelect)["status"];
  pixCode: string | null;
  expiresAt: Date | null;
  /** The notice that the provider obliges the seller to show. */
  warning: string | null;
  /** The provider's id where the provider is the sandbox, so that a payment can be simulated. */
  sandboxTransactionId: string | null;
};

/** A sale with the PIX to show: a payable one, else the newest. Null for an unknown sale. */
export async function showPix(saleId: string): Promise<PixScreen | null> {
  if (!isUuid(saleId)) return null;
  const [row] = await select(saleId);
  return row ? toPixScreen(row) : null;
}

function select(saleId: string) {
  return db
    .select({
      saleId: sales.id,
      summaryRow: paymentSummaryColumns,
      paymentMethod: sales.paymentMethod,
      sellerId: sales.sellerId,
      productId: products.id,
      name: products.name,
      lines: sql<PixScreen["lines"]>`(select coalesce(json_agg(json_build_object(${soldLineFields})
        order by l.position), '[]') from sale_lines l where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id})`,
      couponCode: sales.couponCode,
      isForSale,
      isBumpGone,
      isAnonymized: sql<boolean>`${sales.anonymizedAt} is not null`,
      takesCards: takesCardsOf(sales.sellerId),
      parentSaleId: sales.parentSaleId,
      checkoutSlug: orderableSlug,
      customerEmail: sales.customerEmail,
      hasMail: sql<boolean>`${sales.customerEmail} is not null`,
      campaign: sql<Campaign>`jsonb_strip_nulls(${sales.campaign} || jsonb_build_object('utm_source', ${sales.utmSource}, 'utm_medium', ${sales.utmMedium}, 'utm_campaign', ${sales.utmCampaign}, 'utm_term', ${sales.utmTerm}, 'utm_content', ${sales.utmContent}))`,
      sellerName: sellers.name,
      company: sellers.company,
      shopClosedAt: sellers.closedAt,
      chargeId: charges.id,
      chargeStatus: charges.status,
      provider: charges.provider,
      providerId: charges.providerId,
      pixCode: charges.pixCode,
      expiresAt: charges.expiresAt,
      shop: storefrontColumns,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .leftJoin(charges, and(ofSale(charges), eq(charges.method, "pix")))
    .where(eq(sales.id, saleId))
    .orderBy(desc(isPayable), desc(charges.createdAt))
    .limit(1);
}

function toPixScreen(row: Awaited<ReturnType<typeof select>>[number]): PixScreen {
  const {
    chargeId,
    chargeStatus,
    provider,
    providerId,
    pixCode,
    expiresAt,
    company,
    sellerName,
    name,
    summaryRow,
    shop,
    ...sale
  } = row;
  const storefront = toStorefront(shop);
  const { amountCents } = summaryRow;
  return {
    ...priceByMethod({ ...sale, amountCents }, "pix"),
    takesCards: sale.takesCards && storefront.settings.enable_card && storefront.settings.enable_pix,
    saleStatus: summaryRow.status,
    hadCode: hadCode(summaryRow.charges),
    paymentSummary: summarizePayments(summaryRow, new Date()),
    productName: sale.lines[0]?.name ?? name,
    sellerName: company || sellerName,
    shop: storefront,
    charge:
      chargeId && chargeStatus
        ? {
            id: chargeId,
            status: chargeStatus,
            pixCode,
            expiresAt,
            warning: pick(providers, provider ?? "")?.warning ?? null,
            sandboxTransactionId: env.sandboxUrl ? providerId : null,
          }
        : null,
  };
}

/** A charge's PIX code; null where it has none. */
export async function findPixCode(chargeId: string): Promise<string | null> {
  const [charge] = await db
    .select({ pixCode: charges.pixCode })
    .from(charges)
    .where(eq(charges.id, chargeId));
  return charge?.pixCode ?? null;
}
