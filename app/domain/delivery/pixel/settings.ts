/** A code that a pixel had for a time: ISO timestamps; `since` is null where it was its first. */
type EarlierPixelId = { pixelId: string; since: string | null; until: string };

/** A pixel's settings. */
export type PixelSettings = {
  pixelId: string;
  /** Since when that is its code, as an ISO timestamp; null, or missing, where it always was. */
  pixelIdSince?: string | null;
  /** The codes that it had before, the newest last; missing where it had no other. */
  earlierPixelIds?: EarlierPixelId[];
  /** Since when a created PIX counts as a purchase, as an ISO timestamp; null where only payments do. */
  countsPixSince: string | null;
  /** When one did before, the newest last; missing where that was never switched off. */
  earlierCounts?: { since: string; until: string }[];
  /** The last test's mark: a test event code, or the click id of a test. */
  testCode: string;
};
