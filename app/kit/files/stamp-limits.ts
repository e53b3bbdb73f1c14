/** Why a PDF was not stamped; domain/stamped-copy has the messages. */
export const STAMP_FAILURES = ["locked", "signed", "broken", "pages", "heavy", "full", "gone"] as const;
export type StampFailure = (typeof STAMP_FAILURES)[number];

/** The largest PDF that is stamped: it is in memory meanwhile. */
export const MAX_STAMP_BYTES = 50_000_000;
export const MAX_STAMP_PAGES = 500;
