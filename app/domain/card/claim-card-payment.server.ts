import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isCardPending } from "#app/domain/charge/is-card-pending.server.ts";
import { insertCharge } from "#app/domain/charge/move-charge.server.ts";
import { NO_CARDS } from "#app/domain/gateway/cannot-pay.ts";
import { type CardGateway, findCardGateway } from "#app/domain/gateway/find-card-gateway.server.ts";
import { chargedText, refuseAmount } from "#app/domain/order/order-refusal.ts";
import {
  payableOrderColumns,
  refuseUnpayable,
  reserveAgain,
} from "#app/domain/order/reserve-payment.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

/** A card payment whose row was written: only the caller sends it. Money in cents. */
export type ClaimedCard = {
  chargeId: string;
  reference: string;
  sellerId: string;
  amountCents: number;
  productName: string;
  /** As typed with the order; null where it was not asked for. */
  customerName: string | null;
  email: string;
  gateway: CardGateway;
};

/**
 * Decides, with the sale locked, whether it may be paid with a card, and inserts the charge before the provider is called.
 * Returns null where it is paid already, or another card is being charged for it.
 * @throws Refusal not-found, conflict or invalid, with a message for the buyer
 */
export async function claimCardPayment(
  tx: Tx,
  saleId: string,
  instalments: number,
): Promise<ClaimedCard | null> {
  const [sale] = await tx
    .select({
      sellerId: sales.sellerId,
      status: sales.status,
      amountCents: sales.amountCents,
      customerName: sales.customerName,
      email: sales.customerEmail,
      productName: products.name,
      isCardPending,
      order: payableOrderColumns,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(eq(sales.id, saleId))
    .for("no key update", { of: sales });
  if (!sale) throw notFound("Compra não encontrada");
  const { sellerId, status, amountCents, customerName, email, productName, order } = sale;
  if (sale.isCardPending) return null;
  if (status !== "pending" && status !== "failed") {
    if (status === "completed" || status === "disputed") return null;
    throw new Refusal("conflict", "Esta compra já foi encerrada");
  }
  const chargedNote = chargedText(order.hasReceived);
  refuseUnpayable(order, chargedNote);
  const gateway = await findCardGateway(sellerId, tx);
  if (!gateway) throw new Refusal("conflict", NO_CARDS);
  if (!email)
    throw new Refusal("conflict", "Este pedido não tem e-mail: volte ao formulário e informe o seu.");
  refuseAmount(gateway.provider, amountCents, chargedNote);
  await reserveAgain(tx, saleId, order, chargedNote);
  const reference = randomToken();
  const charge = {
    ...{ provider: gateway.provider.name, gatewayKeyId: gateway.keyId, reference, amountCents },
    ...{ method: "card" as const, instalments },
  };
  const chargeId = await insertCharge(tx, { saleId, sellerId }, charge);
  return { chargeId, reference, sellerId, amountCents, productName, customerName, email, gateway };
}
