/** What decides whether a coupon can be used. */
type Judged = {
  deactivatedAt: Date | null;
  startsAt: Date | null;
  endsAt: Date | null;
  uses: number;
  maxUses: number | null;
};

/** The states of a coupon for its seller, and for programs. */
export const COUPON_STATES = ["active", "paused", "scheduled", "expired", "used_up"] as const;
export type CouponState = (typeof COUPON_STATES)[number];

/** The state of a coupon at a moment. First what activating or pausing it would not change. */
export function couponState(coupon: Judged, now = new Date()): CouponState {
  const { deactivatedAt, startsAt, endsAt, uses, maxUses } = coupon;
  if (endsAt && endsAt <= now) return "expired";
  if (maxUses !== null && uses >= maxUses) return "used_up";
  if (deactivatedAt) return "paused";
  return startsAt && startsAt > now ? "scheduled" : "active";
}
