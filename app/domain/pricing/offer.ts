import type { OfferKind } from "#app/db/schema/lists.ts";
import { formatDayAndTime } from "#app/kit/dates.ts";

/** A price of a product with its conditions. Money in cents, of one unit; moments in Unix ms, null where there is none. */
export type Offer = {
  id: string;
  kind: OfferKind;
  /** Buyers see it, too. */
  name: string;
  slug: string;
  priceCents: number;
  originalPriceCents: number | null;
  /** The order bumps shown with it; null: all. */
  bumpIds: number[] | null;
  startsAt: number | null;
  endsAt: number | null;
  /** How many units nobody has reserved or bought; null: not limited. */
  unitsLeft: number | null;
  /** Whether units per buyer are limited. */
  isPerBuyer: boolean;
  minQuantity: number;
  /** Of one order: no more than one buyer may have. */
  maxQuantity: number;
  isPaused: boolean;
};

/** The reasons why nobody can order at an offer's price. Programs know a refusal by them. */
export const OFFER_RULES = ["offer-early", "offer-ended", "offer-sold-out"] as const;
export type OfferRule = (typeof OFFER_RULES)[number];

/** Why an offer cannot be ordered; the message is the buyer's. */
export type OfferProblem = { rule: OfferRule; message: string };

/**
 * Why an offer cannot be ordered now, whoever orders; null where it can.
 * @param graceMs how long after its end those who saw it may still order
 */
export function findOfferProblem(offer: Offer, now = Date.now(), graceMs = 0): OfferProblem | null {
  const { name, startsAt, endsAt, isPaused, unitsLeft, minQuantity } = offer;
  if (endsAt !== null && endsAt + graceMs <= now)
    return { rule: "offer-ended", message: `A oferta "${name}" terminou em ${formatDayAndTime(endsAt)}.` };
  if (isPaused) return { rule: "offer-ended", message: `A oferta "${name}" não está mais disponível.` };
  if (startsAt !== null && startsAt > now)
    return { rule: "offer-early", message: `A oferta "${name}" começa em ${formatDayAndTime(startsAt)}.` };
  if (unitsLeft !== null && unitsLeft < minQuantity)
    return { rule: "offer-sold-out", message: `As vagas da oferta "${name}" acabaram.` };
  return null;
}

/**
 * The price tier that a buyer saw, and how long after its end they may still order at its price. `isOrder`: it is ordered, not only
 * shown again.
 */
export type SeenOffer = { id: string | null; graceMs: number; isOrder: boolean };

/**
 * The offer that counts at an address: the one that the address names, whatever its state; at the product's own, the first
 * price tier that can be ordered, and null where the product's price counts. An order, and a form that is shown again, is of the
 * tier that its buyer saw, if that has not ended. Whether an order's units are left is decided when they are reserved, since one
 * that is sent twice may have taken the last one itself.
 * @param offers of one product, in their order
 */
export function chooseOffer(
  offers: Offer[],
  namedId: string | null,
  seen: SeenOffer | null = null,
  now = Date.now(),
): Offer | null {
  if (namedId) return offers.find(({ id }) => id === namedId) ?? null;
  const tiers = offers.filter(({ kind }) => kind === "tier");
  const seenTier = tiers.find(({ id }) => id === seen?.id);
  const problem = seenTier && findOfferProblem(seenTier, now, seen?.graceMs);
  if (seenTier && (!problem || (seen?.isOrder && problem.rule === "offer-sold-out"))) return seenTier;
  return tiers.find((tier) => !findOfferProblem(tier, now)) ?? null;
}

type QuantityLimits = Pick<Offer, "minQuantity" | "maxQuantity">;

/** How many units one order may have. Without an offer it is one. */
export function quantityLimits(offer: QuantityLimits | null): { min: number; max: number } {
  return { min: offer?.minQuantity ?? 1, max: offer?.maxQuantity ?? 1 };
}

/** The quantity in a form's text, empty for the least; null where the offer does not allow it. */
export function parseQuantity(typed: string, offer: QuantityLimits | null): number | null {
  const { min, max } = quantityLimits(offer);
  const text = typed.trim();
  if (text === "") return min;
  const quantity = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return quantity >= min && quantity <= max ? quantity : null;
}

/** What is wrong with a quantity that `parseQuantity` does not accept, for buyers and sellers. */
export function describeQuantityLimits(offer: QuantityLimits | null): string {
  const { min, max } = quantityLimits(offer);
  return min === max ? `Esta oferta vende ${min} por pedido.` : `A quantidade deve ser de ${min} a ${max}.`;
}

/** The same for a page that shows prices: the least where the text is no quantity. */
export function shownQuantity(typed: string, offer: QuantityLimits | null): number {
  return parseQuantity(typed, offer) ?? quantityLimits(offer).min;
}

/** The offers that a product's checkout names beside its own price. */
export function listedOffers(offers: Offer[], chosen: Offer | null, now = Date.now()): Offer[] {
  return offers.filter(
    (offer) => offer.kind === "listed" && offer.id !== chosen?.id && !findOfferProblem(offer, now),
  );
}

/** When the clock changes which offers can be ordered (Unix ms); infinite where it never does. */
export function nextOfferChange(offers: Offer[], now = Date.now()): number {
  const moments = offers.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]);
  return Math.min(...moments.filter((at) => at !== null && at > now).map(Number), Number.POSITIVE_INFINITY);
}
