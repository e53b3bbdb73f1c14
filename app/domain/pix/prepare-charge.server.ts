import { mayTryFirst } from "#app/domain/gateway/circuit-breaker.server.ts";
import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import { nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { ChargeRequest, Provider } from "#app/domain/gateway/providers/port.ts";
import { NOTHING_CHARGED, refuseAmount } from "#app/domain/order/order-refusal.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

/** A charge to be requested, and the account for it. */
export type PreparedCharge = {
  gateway: Gateway;
  /** Whether another account of the seller may accept it. */
  hasSpare: boolean;
  /** The provider, with its article, whose account created no code, or is tried later since it creates none; else null. */
  insteadOf: string | null;
  chargeRequest: Omit<ChargeRequest, "webhookUrl">;
};

/** The payer, as in the order. */
type Payer = { name: string | null; email: string | null; document: string | null };

/**
 * Builds the request of a new charge at the first of a seller's accounts that accepts such a payment; one whose provider
 * stopped answering is tried last.
 * @param gateways at least one
 * @throws Refusal where none accepts it: the first one's reason
 */
export function prepareCharge(
  gateways: Gateway[],
  amountCents: number,
  payer: Payer,
  terms: RefusalTerms = {},
): PreparedCharge {
  const refusals = gateways.map(({ provider }) => findRefusal(provider, amountCents, payer, terms));
  const accepting = gateways.filter((_, at) => refusals[at] === null);
  const [first, ...others] = accepting;
  if (!first) throw refusals[0];
  const gateway = others.length === 0 ? first : (accepting.find(({ keyId }) => mayTryFirst(keyId)) ?? first);
  const document = gateway.provider.needsDocument ? payer.document : null;
  return {
    gateway,
    hasSpare: others.length > 0,
    insteadOf: gateway === first ? null : nameWithArticle(first.provider),
    chargeRequest: { amountCents, reference: randomToken(), payer: { ...payer, document } },
  };
}

function findRefusal(
  provider: Provider,
  amountCents: number,
  payer: Payer,
  terms: RefusalTerms,
): Refusal | null {
  try {
    refuseAmount(provider, amountCents, terms.chargedNote);
    refuseIncompletePayer(provider, payer, terms);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The same for a charge that is inserted with its order; null where that is refused: `startPix` then gives the reason. */
export function prepareFirstCharge(
  gateways: Gateway[],
  amountCents: number,
  payer: Payer,
): PreparedCharge | null {
  try {
    return gateways.length > 0 ? prepareCharge(gateways, amountCents, payer) : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/**
 * What a refusal says. `chargedNote`: of the buyer's money, see `chargedText`; `isUpsell`: its order has the data of the purchase before
 * it, and cannot be placed anew.
 */
type RefusalTerms = { chargedNote?: string; isUpsell?: boolean };

/**
 * Refuses a payer without the e-mail, CPF or CNPJ that the provider needs. Checkouts require what the first account's needs; an
 * order may lack it where that was another account's, and for a spare.
 * @throws Refusal conflict, with a message for the buyer
 */
export function refuseIncompletePayer(
  provider: Pick<Provider, "needsEmail" | "needsDocument">,
  payer: Pick<Payer, "email" | "document">,
  terms: RefusalTerms = {},
): void {
  const message = describeIncompletePayer(provider, payer, terms);
  if (message) throw new Refusal("conflict", message);
}

/** The message of that refusal; null where nothing is missing. `document`: any text where there is one. */
export function describeIncompletePayer(
  { needsEmail, needsDocument }: Pick<Provider, "needsEmail" | "needsDocument">,
  { email, document }: Pick<Payer, "email" | "document">,
  { chargedNote = NOTHING_CHARGED, isUpsell = false }: RefusalTerms = {},
): string | null {
  const lacksDocument = needsDocument && !document;
  const missing = [...(needsEmail && !email ? ["o e-mail"] : []), ...(lacksDocument ? ["o CPF"] : [])];
  if (missing.length === 0) return null;
  const reason = `Para gerar o PIX deste vendedor é preciso informar ${missing.join(" e ")}.`;
  return `${reason} ${whereToAdd(isUpsell, lacksDocument)} ${chargedNote}.`;
}

function whereToAdd(isUpsell: boolean, lacksDocument: boolean): string {
  if (!isUpsell) return "Volte à página do produto e faça o pedido de novo.";
  // A purchase can be given an e-mail later, and no document.
  return lacksDocument ? "Fale com o vendedor." : "Adicione o e-mail na página da sua compra.";
}
