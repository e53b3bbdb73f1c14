import { and, desc, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ofSale } from "#app/db/conditions.server.ts";
import type { DeclineReason } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { listInstalments } from "#app/domain/card/list-instalments.server.ts";
import { recallChallenge } from "#app/domain/charge/challenge-urls.server.ts";
import { type CardGateway, findCardGateway, takesPixOf } from "#app/domain/gateway/find-gateway.server.ts";
import type { InstalmentPrices } from "#app/domain/gateway/providers/card-port.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { type PixScreen, showPix } from "#app/domain/pix/show-pix.server.ts";
import { priceByMethod } from "#app/domain/pricing/quote.ts";
import type { BuyerPaymentSummary } from "#app/domain/sale/payment-summary.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";

/** The data of an order's card page; its amounts are those of a card. */
export type CardScreen = PixScreen & {
  /** What it costs with a PIX instead. */
  pixCents: number;
  /** Whether an account of the seller's could create a code for it. */
  takesPix: boolean;
  /** The name typed with the order. */
  customerName: string | null;
  /** Why the newest card was declined; null where that is not how it ended. */
  decline: DeclineReason | null;
  /** The page of the bank that asks the buyer to confirm; null where none does, or its provider does not answer now. */
  challengeUrl: string | null;
  /** Where the card is charged, with its instalments; null where the seller takes no cards, or the order needs none now. */
  payment: { gateway: CardGateway; instalments: InstalmentPrices } | null;
};

/**
 * An order to be paid with a card; null for an unknown one.
 * @param mayCheck whether its provider may be asked for the page of a challenge
 */
export async function showCardPage(saleId: string, mayCheck = true): Promise<CardScreen | null> {
  const pix = await showPix(saleId);
  if (!pix) return null;
  const isChallenged = pix.paymentSummary.buyer === "challenged";
  const [[newest], [seller], gateway] = await Promise.all([
    findNewestCard(saleId),
    db
      .select({ takesPix: takesPixOf(sellers.id) })
      .from(sellers)
      .where(eq(sellers.id, pix.sellerId)),
    NEEDS_NO_CARD.includes(pix.paymentSummary.buyer) || !pix.takesCards
      ? null
      : findCardGateway(pix.sellerId),
  ]);
  const priced = priceByMethod(pix, "card");
  const chargeId = newest?.chargeId;
  const challengeUrl = isChallenged && chargeId ? recallChallenge(chargeId) : null;
  // Another process sent the card, or this one was restarted. The answer may also say that the challenge is over.
  const needsCheck = isChallenged && !challengeUrl && mayCheck;
  if (needsCheck && chargeId && (await checkChallenge(chargeId))) return showCardPage(saleId, false);
  const instalments = gateway && (await listInstalments(gateway, priced.amountCents, null));
  return {
    ...priced,
    pixCents: pix.amountCents,
    takesPix: seller!.takesPix,
    customerName: newest?.customerName ?? null,
    decline: newest?.decline ?? null,
    challengeUrl,
    payment: gateway && instalments ? { gateway, instalments } : null,
  };
}

const NEEDS_NO_CARD: BuyerPaymentSummary[] = [
  "paid",
  "returned",
  "verifying",
  "challenged",
  "in-review",
  "announced",
];

/** Asks the provider, as seldom as for any check. @returns whether it answered */
async function checkChallenge(chargeId: string): Promise<boolean> {
  try {
    return (await checkCharge(chargeId)).kind === "checked";
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}

function findNewestCard(saleId: string) {
  return db
    .select({ chargeId: charges.id, customerName: sales.customerName, decline: charges.declineReason })
    .from(sales)
    .leftJoin(charges, and(ofSale(charges), eq(charges.method, "card")))
    .where(eq(sales.id, saleId))
    .orderBy(desc(charges.createdAt))
    .limit(1);
}
