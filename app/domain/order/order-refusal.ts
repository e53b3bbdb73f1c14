import { type PaymentChoice, type Priced, parseSeenTotal, quote } from "#app/domain/pricing/quote.ts";
import { formatMoney } from "#app/kit/money.ts";
import { Refusal, type RefusalKind } from "#app/kit/refusal.ts";

/** The rules of an order and the kind of refusal of each, whatever the source of the order. */
const KINDS = {
  "not-for-sale": "not-found",
  "offer-early": "conflict",
  "offer-ended": "conflict",
  "offer-sold-out": "conflict",
  "offer-not-valid": "conflict",
  quantity: "invalid",
  "timer-over": "invalid",
  "offer-over": "conflict",
  fields: "invalid",
  "pix-off": "unavailable",
  "no-gateway": "unavailable",
  amount: "conflict",
  "already-bought": "conflict",
  "bump-gone": "conflict",
  price: "conflict",
  guarantee: "conflict",
  "too-many": "too-many",
} as const satisfies Record<string, RefusalKind>;

export type OrderRule = keyof typeof KINDS;
export const ORDER_RULES = Object.keys(KINDS) as OrderRule[];

/** Messages by field, in the order the form shows them. */
export type FieldErrors = Partial<Record<string, string>>;

/** The refusal of an order by one rule. Programs know the rule by `code`. */
export class OrderRefusal extends Refusal {
  readonly rule: OrderRule;
  /** Every mistake in the form, by field; empty for the other rules. */
  readonly errors: FieldErrors;

  constructor(
    rule: OrderRule,
    message: string,
    { field, retryAfter, errors = {} }: { field?: string; retryAfter?: number; errors?: FieldErrors } = {},
  ) {
    super(KINDS[rule], message, field, retryAfter, rule);
    this.name = "OrderRefusal";
    this.rule = rule;
    this.errors = errors;
  }
}

/** The code of a refusal to pay an order that has a payment, or one that is being confirmed: the order's page says which. */
export const HAS_PAYMENT = "has-payment";

/** A refusal with that code. */
export function paymentRefusal(message: string): Refusal {
  return new Refusal("conflict", message, undefined, undefined, HAS_PAYMENT);
}

/** The code of a refusal to create another PIX while nobody knows whether an earlier one was paid: the order's page asks again. */
export const MAY_BE_PAID = "may-be-paid";

/** A charge is not checked again sooner. */
const NEXT_CHECK_SECONDS = 60;

/** A refusal with that code. */
export function mayBePaidRefusal(): Refusal {
  const message =
    "O banco não respondeu se o código PIX anterior deste pedido já foi pago. Se você já pagou, não pague de novo: o pagamento será reconhecido. Se não pagou, tente de novo em um minuto.";
  return new Refusal("unavailable", message, undefined, NEXT_CHECK_SECONDS, MAY_BE_PAID);
}

/** The refusal of an order whose idempotency key another request holds. */
export function keyInUse(): Refusal {
  return new Refusal(
    "conflict",
    "O pedido com este Idempotency-Key ainda está sendo feito. Repita em um segundo.",
    undefined,
    1,
    "idempotency_key_in_use",
  );
}

/** The refusal of a product that its buyer has. */
export function alreadyBought(): OrderRefusal {
  return new OrderRefusal("already-bought", "Você já comprou este produto.");
}

/** The same where the purchase has another e-mail by now: no link to it can be mailed to the one that was typed. */
export function boughtUnderOtherEmail(): OrderRefusal {
  const message =
    "Você já comprou este produto, e o e-mail daquela compra foi corrigido depois. Se quer comprar de novo com este e-mail, confira os dados e envie o pedido outra vez.";
  return new OrderRefusal("already-bought", message, { field: "customer_email" });
}

/** No product is for sale at this address or id. */
export function productGone(): OrderRefusal {
  return new OrderRefusal(
    "not-for-sale",
    "O produto que você está procurando não existe ou não está mais disponível.",
  );
}

/**
 * Refuses a guarantee shorter than the buyer saw. A longer one simply applies.
 * @param seenDays null where none was shown
 * @param days the guarantee in the seller's settings; undefined where those were not read
 * @throws OrderRefusal guarantee
 */
export function refuseShorterGuarantee(seenDays: number | null, days: number | undefined): void {
  const message = describeShorterGuarantee(seenDays, days);
  if (message) throw new OrderRefusal("guarantee", message);
}

/** The message of a redisplayed form whose guarantee became shorter since it was shown; null where it did not. */
export function describeShorterGuarantee(seenDays: number | null, days: number | undefined): string | null {
  if (!seenDays || days === undefined || days >= seenDays) return null;
  return `A garantia mudou: agora são ${days} dias (antes, ${seenDays}). ${CHECK_AGAIN}`;
}

/** Ends a refusal where the sale has received no payment. */
export const NOTHING_CHARGED = "Nada foi cobrado";

/**
 * The same for a sale that may have received a payment, for example of a wrong amount, which is shown next to the
 * refusal.
 */
export function chargedText(hasReceived: boolean): string {
  return hasReceived ? "Nada mais foi cobrado" : NOTHING_CHARGED;
}

const CHECK_AGAIN = `${NOTHING_CHARGED}. Confira e envie de novo se quiser continuar.`;

/** A message of a page that shows these after it: what ends one of them, too, is said there alone. */
export function sayBefore(message: string, later: (string | null)[]): string {
  return [CHECK_AGAIN, `${NOTHING_CHARGED}.`].reduce(
    (text, end) => (later.some((one) => one?.includes(end)) ? text.replace(` ${end}`, "") : text),
    message,
  );
}

/** The refusal of an order by a limit that another order of the same browser holds, which waits for its payment. */
export class OwnHoldRefusal extends Refusal {
  readonly heldBySaleId: string;

  constructor(heldBySaleId: string, { kind, message, field, code }: Refusal) {
    super(kind, message, field, undefined, code);
    this.heldBySaleId = heldBySaleId;
  }
}

/** The order that holds what an order was refused for; null where it is another buyer's, or nobody's. */
export const heldBy = (error: unknown): string | null =>
  error instanceof OwnHoldRefusal ? error.heldBySaleId : null;

/** The smallest and the largest amount of a PIX at a provider, in cents; a null maximum means no limit. */
export type AmountLimits = { minimumCents: number; maximumCents: number | null };

/**
 * Refuses an amount for which the seller's provider creates no PIX, before the provider is called.
 * @param charged what is true of the buyer's money: see `chargedText`
 * @throws OrderRefusal amount
 */
export function refuseAmount(
  { minimumCents, maximumCents }: AmountLimits,
  amountCents: number,
  charged: string = NOTHING_CHARGED,
): void {
  if (amountCents < minimumCents) throw amountRefusal(`a partir de ${formatMoney(minimumCents)}`, charged);
  if (maximumCents !== null && amountCents > maximumCents)
    throw amountRefusal(`de até ${formatMoney(maximumCents)}`, charged);
}

/** A product and twenty order bumps at the highest price. More units of an offer could pass what a column of cents holds. */
const MAX_LIST_CENTS = 2_100_000_000;

/**
 * Refuses an order that comes to more than any may, before its coupon: list prices are stored, too.
 * @throws OrderRefusal amount
 */
export function refuseLargeOrder(listCents: number): void {
  if (listCents <= MAX_LIST_CENTS) return;
  const message = `Um pedido pode somar até ${formatMoney(MAX_LIST_CENTS)}. ${NOTHING_CHARGED}. Diminua a quantidade.`;
  throw new OrderRefusal("amount", message);
}

function amountRefusal(amounts: string, charged: string): OrderRefusal {
  const message = `O PIX deste vendedor só aceita pagamentos ${amounts}. ${charged}.`;
  return new OrderRefusal("amount", message);
}

/**
 * Refuses to charge more than the buyer saw. A lower price is simply charged.
 * @param seenCents null where no price was shown
 * @throws OrderRefusal price
 */
export function refusePriceIncrease(seenCents: number | null, amountCents: number): void {
  const message = priceIncreaseMessage(seenCents, amountCents);
  if (message) throw new OrderRefusal("price", message);
}

/**
 * The message of a redisplayed form whose prices, a coupon included, rose since it was shown; null where none did.
 * @param seen the output of `formatSeenPrices`, and the PIX discount in percent; 0 for a card
 */
export function describePriceIncrease(
  seen: { prices: string; pixPercent: number },
  product: Priced,
  bumpIds: number[],
  terms: { quantity: number } & PaymentChoice,
): string | null {
  const { totalCents } = quote(product, bumpIds, null, terms);
  const { quantity } = terms;
  const { pixPercent } = seen;
  return priceIncreaseMessage(parseSeenTotal(seen.prices, bumpIds, { quantity, pixPercent }), totalCents);
}

function priceIncreaseMessage(seenCents: number | null, amountCents: number): string | null {
  if (seenCents === null || amountCents <= seenCents) return null;
  return `O preço mudou: agora o total é ${formatMoney(amountCents)} (antes, ${formatMoney(seenCents)}). ${CHECK_AGAIN}`;
}
