import { OrderRefusal } from "#app/domain/sales/order-refusal.ts";
import { formatMoney } from "#app/kit/money.ts";

/**
 * No PIX is made for less than the seller's gateway charges. Money in cents.
 * @throws OrderRefusal amount
 */
export function refuseSmall(amountCents: number, leastCents: number): void {
  if (amountCents >= leastCents) return;
  throw new OrderRefusal(
    "amount",
    `O PIX deste vendedor só aceita pagamentos a partir de ${formatMoney(leastCents)}. Nada foi cobrado.`,
  );
}
