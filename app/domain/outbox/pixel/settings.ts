import type { NewsEvent, PixelKind } from "#app/db/schema/lists.ts";

/** What a pixel keeps. */
export type PixelSettings = {
  pixelId: string;
  /** Since when a PIX that was made counts as a purchase, as an ISO moment; null where only what was paid does. */
  countsPixSince: string | null;
  /** What tests were marked with last: a test event code, or the click id of a test. */
  testCode: string;
};

/** The events each service is told of. Only GA4 has a word for money that goes back. */
export const EVENTS_OF_PIXEL: Record<PixelKind, readonly NewsEvent[]> = {
  meta: ["checkout.started", "pix.generated", "sale.paid"],
  ga4: [
    "checkout.started",
    "pix.generated",
    "sale.paid",
    "sale.partially_refunded",
    "sale.refunded",
    "sale.chargedback",
  ],
  tiktok: ["checkout.started", "pix.generated", "sale.paid"],
  kwai: ["checkout.started", "sale.paid"],
};

/** Those that count an event once, however often they hear of it: only there a PIX may stand for a purchase. */
export const TELLS_COPIES: Record<PixelKind, boolean> = { meta: true, ga4: true, tiktok: true, kwai: false };

export const PIXEL_NAMES: Record<PixelKind, string> = {
  meta: "Meta (Facebook e Instagram)",
  ga4: "Google Analytics 4",
  tiktok: "TikTok",
  kwai: "Kwai",
};

/** What a pixel's number looks like; whoever types another thing has mixed up two fields. */
export const PIXEL_ID: Record<PixelKind, { shape: RegExp; example: string }> = {
  meta: { shape: /^\d{5,20}$/, example: "1234567890123456" },
  ga4: { shape: /^G-[A-Z0-9]{4,14}$/, example: "G-AB12CD34EF" },
  tiktok: { shape: /^[A-Z0-9]{10,30}$/, example: "C4A1B2C3D4E5F6G7H8I9" },
  kwai: { shape: /^\d{5,25}$/, example: "123456789012345" },
};
