import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { linesOf, type PurchaseLine } from "#app/domain/access/purchase-lines.server.ts";
import { knownSale } from "#app/domain/charge/known-charges.server.ts";
import { isGivenUp, linksEndedAt } from "#app/domain/sale/emptied-why.server.ts";
import type { Payment } from "#app/domain/sale/payments.ts";
import { type BuyerStanding, standing } from "#app/domain/sale/standing.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A purchase as its buyer sees it: no file address, and of the buyer's data the e-mail alone. Money in cents. */
export type Purchase = {
  saleId: string;
  productId: number;
  productName: string;
  imageUrl: string | null;
  redirectUrl: string | null;
  sellerId: string;
  sellerName: string;
  /** When the seller closed the account; null while it is open. */
  shopClosedAt: Date | null;
  status: SaleStatus;
  accessSuspendedAt: Date | null;
  amountCents: number;
  parentSaleId: string | null;
  /** How the order stands for its buyer. */
  standing: BuyerStanding;
  /** Every payment received, oldest first. */
  payments: Payment[];
  lines: PurchaseLine[];
  /** Whether mails can reach the buyer. */
  hasMail: boolean;
  customerEmail: string | null;
  emailCorrectedAt: Date | null;
  /** Its buyer had their data emptied, and gave it up with that. */
  isGivenUp: boolean;
  /** As it was promised; null where nobody kept it. */
  guaranteeDays: number | null;
};

/** A sale and its lines; null for an unknown one. */
export async function showPurchase(saleId: string): Promise<Purchase | null> {
  if (!isUuid(saleId)) return null;
  const [found] = await db
    .select({
      saleId: sales.id,
      productId: products.id,
      productName: products.name,
      imageUrl: products.imageUrl,
      redirectUrl: products.redirectUrl,
      sellerId: sales.sellerId,
      sellerName: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      shopClosedAt: sellers.closedAt,
      accessSuspendedAt: sales.accessSuspendedAt,
      known: knownSale,
      parentSaleId: sales.parentSaleId,
      customerEmail: sales.customerEmail,
      emailCorrectedAt: linksEndedAt,
      isGivenUp,
      guaranteeDays: sales.guaranteeDays,
      hasMail: sql<boolean>`${sales.customerEmail} is not null`,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  if (!found) return null;
  const { known, ...sale } = found;
  const { buyer, payments } = standing(known, new Date());
  return {
    ...sale,
    status: known.status,
    amountCents: known.amountCents,
    standing: buyer,
    payments,
    lines: (await linesOf([saleId])).get(saleId) ?? [],
  };
}
