import { db } from "#app/db/client.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { type ClaimedCard, claimCardPayment } from "#app/domain/card/claim-card-payment.server.ts";
import { type ClaimTime, isTooLate, readClaimTime } from "#app/domain/charge/claim-time.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { findGatewayTrouble } from "#app/domain/gateway/find-gateway-trouble.server.ts";
import { findRefusedCards, isUnknownCard } from "#app/domain/gateway/find-refused-cards.server.ts";
import { ProviderError, type ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { queueGatewayTroubleMail } from "#app/domain/gateway/queue-gateway-trouble-mail.server.ts";
import {
  queueFailedPaymentMail,
  toFailedPayment,
} from "#app/domain/sale/mails/queue-failed-payment-mail.server.ts";
import { bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import { findSnapshot } from "#app/domain/settlement/charge-snapshot.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * A card as its page sends it: the provider's token, never a number. `publicKey`: of the account whose fields made the token; empty or
 * omitted where the page does not say. `document` is a valid CPF or CNPJ, digits only.
 */
export type SentCard = {
  token: string;
  publicKey?: string;
  brand: string;
  instalments: number;
  holderName: string;
  document: string;
  deviceId: string | null;
};

const UNAVAILABLE =
  "Não conseguimos falar com o provedor do cartão. Nada foi cobrado: tente de novo em alguns instantes ou pague com PIX.";
const MISCONFIGURED = "O vendedor precisa revisar a conexão com o cartão. Nada foi cobrado: pague com PIX.";
const NOTHING_WORKS =
  "O vendedor precisa revisar a conexão com o provedor de pagamento. Nada foi cobrado: avise-o e tente de novo mais tarde.";
const REFUSED =
  "O provedor não aceitou estes dados. Nada foi cobrado: confira os dados do cartão, ou pague com PIX.";

/**
 * Pays an order with a card, once: while one is being charged, and after it was approved, another is not sent. The charge's row
 * is written before the provider's call and after it, with no transaction open during the call. A card is never sent to another
 * account: after a lost answer it may have been charged, and `sweepCharges` and checks find out.
 * @throws Refusal with a message for the buyer, where nothing was charged
 */
export async function payByCard(saleId: string, card: SentCard): Promise<void> {
  const claim = await keyedMutex(saleId, async () => {
    const claimedAt = readClaimTime();
    const claimed = await db.transaction((tx) => claimCardPayment(tx, saleId, card));
    return claimed && { ...claimed, claimedAt };
  });
  if (!claim) return;
  const { chargeId } = claim;
  const transaction = await send(saleId, claim, card);
  if (!transaction) return;
  const { providerId, state, decline } = transaction;
  log.info({ saleId, chargeId, providerId, state, decline: decline?.detail }, "card answered");
  const snapshot = (await findSnapshot(chargeId))!;
  const { charge, sale } = snapshot;
  await bookAnswer({ id: chargeId, sellerId: sale.sellerId, ...charge }, sale, null, transaction);
  if (decline && isUnknownCard(decline.detail)) await tellOfRefusedCards(claim);
}

/** Mails the seller where it is not this card alone: no buyer can mend that. */
async function tellOfRefusedCards({ sellerId, gateway }: ClaimedCard): Promise<void> {
  const cards = await findRefusedCards(sellerId);
  if (cards?.provider === gateway.provider.name)
    await queueGatewayTroubleMail(sellerId, gateway, { topic: "refused-cards", cards });
}

/** @returns null where the answer was lost */
async function send(
  saleId: string,
  claim: ClaimedCard & { claimedAt: ClaimTime },
  { holderName, document, publicKey: _, ...card }: SentCard,
): Promise<ProviderTransaction | null> {
  const { chargeId, sellerId, customerName, email, gateway } = claim;
  const { reference, amountCents, productName, isChallengeRequired } = claim;
  // Without a full name more cards are declined.
  const name = customerName?.includes(" ") ? customerName : holderName;
  const payer = { name, email, document };
  try {
    // Its payment may be called unknown by now, and the order may be paid otherwise.
    if (isTooLate(claim.claimedAt))
      throw new ProviderError("busy", "the process was held up, and sent nothing");
    return await gateway.cards.pay(gateway.credentials, {
      ...card,
      reference,
      amountCents,
      productName,
      isChallengeRequired,
      payer,
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, message } = error;
    log.warn({ chargeId, kind, error: message }, "card not answered");
    const isLost = kind === "no-answer" || kind === "nonsense";
    const move = isLost
      ? ({ to: "unknown", detail: message } as const)
      : ({ to: "failed", why: kind, detail: message } as const);
    await moveCharge(db, { id: chargeId, sellerId, status: "creating" }, move, "provider");
    if (isLost) return null;
    if (kind === "credentials") {
      const failure = { ...toFailedPayment(gateway.provider.name, error), isCard: true } as const;
      await queueFailedPaymentMail(db, saleId, failure);
      // PIX may be of the same account, or of another one that is in trouble, too.
      const { working } = await findGatewayTrouble(sellerId);
      throw new Refusal("unavailable", working > 0 ? MISCONFIGURED : NOTHING_WORKS);
    }
    if (kind === "refused") await tellOfRefusedCards(claim);
    throw new Refusal("unavailable", kind === "refused" ? REFUSED : UNAVAILABLE);
  }
}
