import { and, desc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale } from "#app/db/conditions.server.ts";
import type { DeclineReason } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { listInstalments } from "#app/domain/card/list-instalments.server.ts";
import { priceByMethod } from "#app/domain/coupon/itemize.ts";
import { type CardGateway, findCardGateway } from "#app/domain/gateway/find-card-gateway.server.ts";
import type { InstalmentPrices } from "#app/domain/gateway/providers/card-port.ts";
import { type PixScreen, showPix } from "#app/domain/pix/show-pix.server.ts";
import type { BuyerPaymentSummary } from "#app/domain/sale/payment-summary.ts";

/** The data of an order's card page; its amounts are those of a card. */
export type CardScreen = PixScreen & {
  /** What it costs with a PIX instead. */
  pixCents: number;
  /** The name typed with the order. */
  customerName: string | null;
  /** Why the newest card was declined; null where that is not how it ended. */
  decline: DeclineReason | null;
  /** Where the card is charged, with its instalments; null where the seller takes no cards, or the order needs none now. */
  payment: { gateway: CardGateway; instalments: InstalmentPrices } | null;
};

/** An order to be paid with a card; null for an unknown one. */
export async function showCardPage(saleId: string): Promise<CardScreen | null> {
  const pix = await showPix(saleId);
  if (!pix) return null;
  const [[newest], gateway] = await Promise.all([
    findNewestCard(saleId),
    NEEDS_NO_CARD.includes(pix.paymentSummary.buyer) || !pix.takesCards
      ? null
      : findCardGateway(pix.sellerId),
  ]);
  const priced = priceByMethod(pix, "card");
  const instalments = gateway && (await listInstalments(gateway, priced.amountCents, null));
  return {
    ...priced,
    pixCents: pix.amountCents,
    customerName: newest?.customerName ?? null,
    decline: newest?.decline ?? null,
    payment: gateway && instalments ? { gateway, instalments } : null,
  };
}

const NEEDS_NO_CARD: BuyerPaymentSummary[] = ["paid", "returned", "verifying", "in-review", "announced"];

function findNewestCard(saleId: string) {
  return db
    .select({ customerName: sales.customerName, decline: charges.declineReason })
    .from(sales)
    .leftJoin(charges, and(ofSale(charges), eq(charges.method, "card")))
    .where(eq(sales.id, saleId))
    .orderBy(desc(charges.createdAt))
    .limit(1);
}
