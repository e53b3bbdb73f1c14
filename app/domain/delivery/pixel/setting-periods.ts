import type { ReceiverPeriod } from "#app/domain/delivery/destination.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";

/** Earlier values of a setting that a pixel remembers. */
const MAX_EARLIER = 20;

/** Since when a pixel has its code, and which ones it had before: what counted at a code counts there still after a detour. */
export function pixelIdHistory(
  pixelId: string,
  saved: PixelSettings | null | undefined,
): Pick<PixelSettings, "pixelIdSince" | "earlierPixelIds"> {
  const { pixelIdSince = null, earlierPixelIds = [] } = saved ?? {};
  if (!saved || saved.pixelId === pixelId) return { pixelIdSince, earlierPixelIds };
  const now = new Date().toISOString();
  const left = { pixelId: saved.pixelId, since: pixelIdSince, until: now };
  return { pixelIdSince: now, earlierPixelIds: [...earlierPixelIds, left].slice(-MAX_EARLIER) };
}

/** Since when a PIX counts as a purchase, and when it did before: what counted then is not counted again when it is paid. */
export function countingHistory(
  counts: boolean,
  saved: PixelSettings | null | undefined,
): Pick<PixelSettings, "countsPixSince" | "earlierCounts"> {
  const { countsPixSince = null, earlierCounts = [] } = saved ?? {};
  if (counts === (countsPixSince !== null)) return { countsPixSince, earlierCounts };
  const now = new Date().toISOString();
  if (countsPixSince === null) return { countsPixSince: now, earlierCounts };
  const ended = { since: countsPixSince, until: now };
  return { countsPixSince: null, earlierCounts: [...earlierCounts, ended].slice(-MAX_EARLIER) };
}

/** When a PIX counted as a purchase. */
export function countingPeriods({ countsPixSince, earlierCounts = [] }: PixelSettings): ReceiverPeriod[] {
  return countsPixSince === null ? earlierCounts : [...earlierCounts, { since: countsPixSince, until: null }];
}

/** When a PIX counted as a purchase at the code of now. */
export function receiverPeriods(pixel: PixelSettings): ReceiverPeriod[] {
  const { pixelId, pixelIdSince = null, earlierPixelIds = [] } = pixel;
  const earlier = earlierPixelIds.filter((each) => each.pixelId === pixelId);
  const periods = [...earlier, { since: pixelIdSince, until: null }];
  return periods.flatMap((one) => countingPeriods(pixel).map((other) => overlap(one, other)));
}

/** The period that is in both: it ends before it begins where none is. */
function overlap(one: ReceiverPeriod, other: ReceiverPeriod): ReceiverPeriod {
  const sorted = (moments: (string | null)[]) => moments.filter((moment) => moment !== null).sort();
  return {
    since: sorted([one.since, other.since]).at(-1) ?? null,
    until: sorted([one.until, other.until])[0] ?? null,
  };
}
