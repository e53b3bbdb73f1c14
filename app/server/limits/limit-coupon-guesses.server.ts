import { RateLimiterMemory } from "rate-limiter-flexible";
import { type CouponCodes, hasCode } from "#app/domain/coupon/choose-coupon.server.ts";
import type { CouponRule } from "#app/domain/coupon/coupon.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { type Limit, REQUESTS } from "#app/server/limits/limits.ts";
import { tooManyRefusal } from "#app/server/limits/too-many-refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

const limiterFor = ([points, within]: Limit) => new RateLimiterMemory({ points, duration: within / SECOND });

/** Unknown codes per client, in this process. */
const limiters = {
  typed: limiterFor(REQUESTS["unknown-coupon-typed"]),
  linked: limiterFor(REQUESTS["unknown-coupon-linked"]),
};

export type CouponSource = keyof typeof limiters;

/** Refuses a client's codes, valid ones too, after too many unknown ones. @throws Refusal too-many */
export async function refuseCouponGuesses(request: Request, source: CouponSource): Promise<void> {
  const limiter = limiters[source];
  const count = await limiter.get(clientKey(request));
  if (count && count.consumedPoints >= limiter.points) throw tooManyRefusal(count.msBeforeNext, "coupon");
}

/** Counts an unknown code. */
export async function countUnknownCoupon(request: Request, source: CouponSource): Promise<void> {
  await limiters[source].penalty(clientKey(request));
}

/** Places an order that may have a coupon, counting an unknown code. @throws Refusal too-many, and what `place` throws */
export async function limitCouponGuesses<T>(
  request: Request,
  codes: CouponCodes,
  place: () => Promise<T>,
): Promise<T> {
  if (!hasCode(codes)) return place();
  await refuseCouponGuesses(request, "typed");
  return place().catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === ("coupon-unknown" satisfies CouponRule))
      await countUnknownCoupon(request, "typed");
    throw error;
  });
}
