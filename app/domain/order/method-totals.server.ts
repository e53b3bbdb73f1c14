import { sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";

/** What a sale costs with a card, in cents; its amount is what its own payment method costs. */
export const cardTotal = sql<number>`(${sales.amountCents} + case ${sales.paymentMethod} when 'card' then 0 else ${sales.pixDiscountCents} end)`;

/** What it costs with a PIX. */
export const pixTotal = sql<number>`(${sales.amountCents} - case ${sales.paymentMethod} when 'card' then ${sales.pixDiscountCents} else 0 end)`;
