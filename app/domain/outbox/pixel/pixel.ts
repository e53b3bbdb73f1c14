import type { OpenDestination, Unsaid, Verdict } from "#app/domain/outbox/destination.ts";
import type { SaleNews } from "#app/domain/outbox/news.ts";
import { eventId, type Moment, momentOf } from "#app/domain/outbox/pixel/moment-of.ts";
import type { PixelSettings } from "#app/domain/outbox/pixel/settings.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { withoutEnd } from "#app/kit/without-end.ts";

/** What pixels have in common: how often they are tried, when they are stopped. */
export const PIXEL_MANNERS = {
  pauses: [
    ...[5 * SECOND, MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR],
    ...[12 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR],
  ],
  stopAfter: 3 * DAY,
  timeoutMs: 15 * SECOND,
};

/** What an advertiser asks us to leave them alone for, where they do not say. */
export const BUSY_FOR = MINUTE;

/** Where a service is, with a path behind it. */
export function at(base: string, path: string): string {
  return withoutEnd(base, "/") + path;
}

export function pixelOf({ settings }: Pick<OpenDestination, "settings">): PixelSettings {
  return settings as PixelSettings;
}

/** The moment a piece of news is, and the id that copies are known by. */
export type Told = { moment: Moment; id: string; pixel: PixelSettings };

/** What there is to tell; `needsYes` where nothing may be said of a buyer who did not agree. */
export function toTell(news: SaleNews, to: OpenDestination, needsYes: boolean): Told | Unsaid {
  const pixel = pixelOf(to);
  const moment = momentOf(news, pixel);
  if (moment === null) return { unsaid: "nothing-to-say" };
  if (moment === "said-before") return { unsaid: "said-before" };
  if (needsYes && news.ads === null) return { unsaid: "no-consent" };
  return { moment, id: eventId(moment, news), pixel };
}

/** The same for those who may hear only of buyers who agreed, with the word that they have for the moment. */
export function toTellNamed(
  news: SaleNews,
  to: OpenDestination,
  names: Partial<Record<Moment, string>>,
): (Told & { name: string }) | Unsaid {
  const told = toTell(news, to, true);
  if ("unsaid" in told) return told;
  const name = names[told.moment];
  return name ? { ...told, name } : { unsaid: "nothing-to-say" };
}

/** Of an answer that does not get as far as saying what they think of the event. */
export function judgeStatus(status: number): Verdict | null {
  if (status === 429 || status >= 500) return { result: "again", why: "status", restMs: BUSY_FOR };
  if (status >= 300 && status < 400) return { result: "refused", why: "status" };
  return null;
}
