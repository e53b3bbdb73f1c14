import { and, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { Order } from "#app/domain/order/order.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { CLICK_ID } from "#app/kit/ads/click-ids.ts";

/**
 * Submitting again may change the buyer's name and phone, the answer about advertisers and the payment method, or follow a longer
 * guarantee; with consent, click ids that the sale lacks are added. A guarantee is never shortened, and what is left empty is not
 * taken out.
 */
export async function updateEarlierSale(
  tx: Tx,
  isSale: SQL,
  { customer, campaign, adAnswer, guaranteeDays, isCard }: Order,
): Promise<void> {
  const { name, phone } = customer;
  const isCorrected = or(
    name ? sql`${sales.customerName} is distinct from ${name}` : undefined,
    phone ? sql`${sales.customerPhone} is distinct from ${phone}` : undefined,
  );
  if (isCorrected)
    await tx
      .update(sales)
      .set({ ...(name ? { customerName: name } : {}), ...(phone ? { customerPhone: phone } : {}) })
      .where(and(isSale, inArray(sales.status, UNPAID), isNull(sales.anonymizedAt), isCorrected));
  const paymentMethod = isCard ? "card" : "pix";
  await tx
    .update(sales)
    .set({ paymentMethod })
    .where(and(isSale, eq(sales.status, "pending"), ne(sales.paymentMethod, paymentMethod)));
  if (adAnswer.adConsent !== null) {
    const { kinds } = adAnswer.adIds ?? {};
    const isToOthers = sql`${sales.adIds} -> 'kinds' is distinct from ${JSON.stringify(kinds)}::text::jsonb`;
    const isChanged = or(sql`${sales.adConsent} is distinct from ${adAnswer.adConsent}`, kinds && isToOthers);
    // Those that the browser stored at the first visit come only with a consent.
    const clicks = Object.fromEntries(Object.entries(campaign).filter(([name]) => CLICK_ID.test(name)));
    const withClicks = { campaign: sql`${JSON.stringify(clicks)}::text::jsonb || ${sales.campaign}` };
    await tx
      .update(sales)
      .set({ ...adAnswer, ...(adAnswer.adConsent ? withClicks : {}) })
      .where(and(isSale, isChanged));
  }
  if (guaranteeDays !== undefined)
    await tx
      .update(sales)
      .set({ guaranteeDays })
      .where(and(isSale, sql`coalesce(${sales.guaranteeDays}, 0) < ${guaranteeDays}`));
}
