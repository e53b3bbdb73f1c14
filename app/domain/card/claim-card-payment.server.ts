import { eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isCardPending } from "#app/domain/charge/conditions.server.ts";
import { insertCharge } from "#app/domain/charge/move-charge.server.ts";
import { CANNOT_PAY, NO_CARDS } from "#app/domain/gateway/cannot-pay.ts";
import { type CardGateway, findCardGateway, takesPixOf } from "#app/domain/gateway/find-gateway.server.ts";
import { chargedText, refuseAmount } from "#app/domain/order/order-refusal.ts";
import {
  cardTotal,
  isSwitchedOff,
  payableOrderColumns,
  refuseUnpayable,
  reserveAgain,
} from "#app/domain/order/payable-order.server.ts";
import { reopenSale } from "#app/domain/sale/fail-sale.server.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { randomToken, signaturesOf } from "#app/platform/secrets.server.ts";

const CODE_BEING_CREATED =
  "O PIX deste pedido está sendo gerado em outra aba. Nada foi cobrado no cartão: espere um instante e tente de novo.";

const ACCOUNT_CHANGED =
  "A conta do vendedor que recebe o cartão mudou enquanto esta página estava aberta. Nada foi cobrado no cartão: recarregue a página e preencha o cartão de novo, ou pague com PIX.";

const isCodeBeingCreated = sql<boolean>`exists (
  select from charges c where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.method = 'pix'
    and c.status = 'creating' and c.creating_until > now())`;

/** The newest card of the sale was declined because its bank demands a challenge. */
const isChallengeRequired = sql<boolean>`coalesce((select c.decline_reason = 'challenge-required' from charges c
  where c.seller_id = ${sales.sellerId} and c.sale_id = ${sales.id} and c.method = 'card'
  order by c.created_at desc limit 1), false)`;

/** As its PIX page names it: an upsell's order has the product of the purchase before it. */
const soldName = sql<string>`coalesce((select l.name from sale_lines l where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id}
  order by l.position limit 1), ${products.name})`;

/** A card payment whose row was written: only the caller sends it. Money in cents. */
export type ClaimedCard = {
  chargeId: string;
  sellerId: string;
  reference: string;
  amountCents: number;
  productName: string;
  /** As typed with the order; null where it was not asked for. */
  customerName: string | null;
  email: string;
  gateway: CardGateway;
  isChallengeRequired: boolean;
};

/**
 * Decides, with the sale locked, whether it may be paid with a card, and inserts the charge before the provider is called.
 * A cancelled order is reopened. Returns null where it is paid already, another card is being charged for it, or this one, by its token, was sent before.
 * @throws Refusal not-found, conflict, invalid or unavailable, with a message for the buyer
 */
export async function claimCardPayment(
  tx: Tx,
  saleId: string,
  { instalments, token, publicKey = "" }: { instalments: number; token: string; publicKey?: string },
): Promise<ClaimedCard | null> {
  // What other transactions wrote while this one waited for the lock is seen by the next statement only.
  await tx.select({ id: sales.id }).from(sales).where(eq(sales.id, saleId)).for("no key update");
  const [sale] = await tx
    .select({
      sellerId: sales.sellerId,
      status: sales.status,
      amountCents: cardTotal,
      customerName: sales.customerName,
      email: sales.customerEmail,
      productName: soldName,
      isCardPending,
      isCodeBeingCreated,
      isChallengeRequired,
      isCardOff: isSwitchedOff("enable_card"),
      takesPix: takesPixOf(sales.sellerId),
      order: payableOrderColumns,
    })
    .from(sales)
    .innerJoin(products, eq(products.id, sales.productId))
    .where(eq(sales.id, saleId));
  if (!sale) throw notFound("Compra não encontrada");
  const { sellerId, status, amountCents, customerName, email, productName, order } = sale;
  if (sale.isCardPending) return null;
  if (!UNPAID.includes(status)) {
    if (status === "completed" || status === "disputed") return null;
    throw new Refusal("conflict", "Esta compra já foi encerrada");
  }
  const reference = await findReference(tx, saleId, token);
  if (!reference) return null;
  const chargedNote = chargedText(order.hasReceived);
  refuseUnpayable(order, chargedNote);
  if (sale.isCodeBeingCreated) throw new Refusal("conflict", CODE_BEING_CREATED);
  const gateway = await findCardGateway(sellerId, tx);
  if (!gateway || sale.isCardOff) throw new Refusal("conflict", sale.takesPix ? NO_CARDS : CANNOT_PAY);
  // Its provider would refuse the token, and the buyer would look for a mistake in their card.
  if (publicKey && publicKey !== gateway.publicKey) throw new Refusal("conflict", ACCOUNT_CHANGED);
  if (!email)
    throw new Refusal("conflict", "Este pedido não tem e-mail: volte ao formulário e informe o seu.");
  refuseAmount(gateway.provider, amountCents, chargedNote);
  await reserveAgain(tx, { id: saleId, sellerId }, order, chargedNote);
  const charge = {
    ...{ provider: gateway.provider.name, gatewayKeyId: gateway.keyId, reference, amountCents },
    ...{ method: "card" as const, instalments },
  };
  // Its buyer came back: it is pending whether the card is approved or another attempt follows.
  if (status === "cancelled") await reopenSale(tx, sellerId, saleId);
  const chargeId = await insertCharge(tx, { saleId, sellerId }, charge);
  return {
    ...{ chargeId, sellerId, reference, amountCents, productName, customerName, email, gateway },
    isChallengeRequired: sale.isChallengeRequired,
  };
}

/**
 * Our reference of a payment, made of its card's token: a form that is sent again is the payment it was, and the reason of its
 * decline stays, since the provider would only say that the token is used. Null where it was sent before.
 */
async function findReference(tx: Tx, saleId: string, token: string): Promise<string | null> {
  const references = signaturesOf(`card:${saleId}:${token}`);
  const sent = await tx
    .select({ status: charges.status })
    .from(charges)
    .where(inArray(charges.reference, references));
  if (sent.length === 0) return references[0]!;
  // The provider did not take it, but its reference is used up.
  return sent.every(({ status }) => status === "failed") ? randomToken() : null;
}
