/** What decides whether an offer can be ordered. */
type Judged = {
  deactivatedAt: Date | null;
  startsAt: Date | null;
  endsAt: Date | null;
  units: number;
  maxUnits: number | null;
  minQuantity: number;
};

/** The states of an offer for its seller, and for programs. */
export const OFFER_STATES = ["active", "paused", "scheduled", "ended", "sold_out"] as const;
export type OfferState = (typeof OFFER_STATES)[number];

/** The state of an offer at a moment. First what activating or pausing it would not change. */
export function offerState(offer: Judged, now = new Date()): OfferState {
  const { deactivatedAt, startsAt, endsAt, units, maxUnits, minQuantity } = offer;
  if (endsAt && endsAt <= now) return "ended";
  if (maxUnits !== null && maxUnits - units < minQuantity) return "sold_out";
  if (deactivatedAt) return "paused";
  return startsAt && startsAt > now ? "scheduled" : "active";
}
