import type { OfferKind } from "#app/db/schema/lists.ts";
import type { OwnOffer } from "#app/domain/offer/find-offer.server.ts";
import { offerLink } from "#app/domain/offer/offer-json.server.ts";
import { type OfferState, offerState } from "#app/domain/offer/offer-state.ts";
import { capitalize } from "#app/kit/clean-text.ts";
import { describePeriod, formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

const KINDS: Record<OfferKind, string> = {
  link: "Link próprio",
  listed: "Na página do produto",
  tier: "Lote",
};

/** An offer in the list. */
export function showOffer(offer: OwnOffer, now: Date) {
  return {
    id: offer.id,
    name: offer.name,
    price: showPrice(offer.priceCents),
    kind: KINDS[offer.kind],
    period: describePeriod(offer),
    sold: describeSold(offer),
    conditions: describeConditions(offer),
    active: offer.deactivatedAt === null,
    state: showState(offer, now),
    link: offerLink(offer),
  };
}

export function showPrice(cents: number): string {
  return cents > 0 ? formatMoney(cents) : "Grátis";
}

const STATES: Record<OfferState, { label: string; tone: BadgeTone }> = {
  active: { label: "Ativa", tone: "success" },
  paused: { label: "Pausada", tone: "neutral" },
  scheduled: { label: "Começa em", tone: "info" },
  ended: { label: "Terminou", tone: "neutral" },
  sold_out: { label: "Esgotou", tone: "warning" },
};

export function showState(offer: OwnOffer, now: Date) {
  const state = offerState(offer, now);
  const { label, tone } = STATES[state];
  return { tone, label: state === "scheduled" ? `${label} ${formatDateTime(offer.startsAt!)}` : label };
}

/** Its units: of paid orders, and of those whose PIX can still be paid. */
export function describeSold({ units, maxUnits }: OwnOffer): string {
  return `Vendidas ou reservadas: ${units}${maxUnits === null ? ", sem limite" : ` de ${maxUnits}`}`;
}

function describeConditions({ minQuantity, maxQuantity, maxUnitsPerBuyer }: OwnOffer): string {
  const quantity =
    minQuantity === maxQuantity
      ? `${minQuantity} por pedido`
      : `de ${minQuantity} a ${maxQuantity} por pedido`;
  const all = [
    maxQuantity > 1 && quantity,
    maxUnitsPerBuyer !== null && `até ${maxUnitsPerBuyer} por pessoa`,
  ];
  return capitalize(all.filter(Boolean).join(" · "));
}
