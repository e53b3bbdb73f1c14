import type { OpenDestination, Skipped, Verdict } from "#app/domain/delivery/destination.ts";
import { judgePassing } from "#app/domain/delivery/passing-answer.ts";
import { eventId, type Moment, momentOf } from "#app/domain/delivery/pixel/moment-of.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { withoutEnd } from "#app/kit/without-end.ts";

/** How long to wait for a busy advertiser without `Retry-After`. */
export const BUSY_FOR = MINUTE;

/** A service's base address with a path. */
export function at(base: string, path: string): string {
  return withoutEnd(base, "/") + path;
}

/** The settings of a pixel, as its form stored them. */
export function pixelOf({ settings }: Pick<OpenDestination, "settings">): PixelSettings {
  return settings as PixelSettings;
}

/** An event's moment, and the id it is deduplicated by. */
export type PixelEvent = { moment: Moment; id: string; pixel: PixelSettings };

/** The notification as a kind of advertiser may have it: without the buyer's ids where they consented to others only. */
export function withOwnConsent(notification: SaleNotification, kind: string): SaleNotification {
  const kinds = notification.ads?.kinds;
  return kinds && !kinds.includes(kind) ? { ...notification, ads: null } : notification;
}

/** The event to send, or the reason to skip it; `needsConsent`: only with the buyer's consent. */
export function buildPixelEvent(
  notification: SaleNotification,
  to: OpenDestination,
  needsConsent: boolean,
): PixelEvent | Skipped {
  const pixel = pixelOf(to);
  const moment = momentOf(notification, pixel);
  if (moment === null) return { skipReason: "nothing-to-say" };
  if (moment === "said-before") return { skipReason: "said-before" };
  if (needsConsent && notification.ads === null) return { skipReason: "no-consent" };
  return { moment, id: eventId(moment, notification), pixel };
}

/** The same for services that only take consenting buyers, with their name for the moment. */
export function buildNamedPixelEvent(
  notification: SaleNotification,
  to: OpenDestination,
  names: Partial<Record<Moment, string>>,
): (PixelEvent & { name: string }) | Skipped {
  const pixelEvent = buildPixelEvent(notification, to, true);
  if ("skipReason" in pixelEvent) return pixelEvent;
  const name = names[pixelEvent.moment];
  return name ? { ...pixelEvent, name } : { skipReason: "nothing-to-say" };
}

/** The verdict where it is no answer of the advertiser's; null where the body decides. */
export function judgeStatus(answer: { status: number; body: string }): Verdict | null {
  const { status } = answer;
  const passing = judgePassing(answer);
  if (passing) return { ...passing, retryAfterMs: BUSY_FOR };
  if (status >= 300 && status < 400) return { result: "refused", reason: "status" };
  return null;
}
