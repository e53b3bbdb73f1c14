/** Why a PDF was not stamped; words for people are made of them in domain/stamp. */
export const STAMP_FAILURES = ["locked", "signed", "broken", "pages", "heavy", "full", "gone"] as const;
export type StampFailure = (typeof STAMP_FAILURES)[number];

/** What a PDF may have that is stamped: all of it is in memory while it is. */
export const MOST_STAMP_BYTES = 50_000_000;
export const MOST_STAMP_PAGES = 500;
