import type { DeliveryEvent, PixelKind } from "#app/db/schema/lists.ts";

/** A pixel's settings. */
export type PixelSettings = {
  pixelId: string;
  /** Since when a created PIX counts as a purchase, as an ISO timestamp; null where only payments do. */
  countsPixSince: string | null;
  /** The last test's mark: a test event code, or the click id of a test. */
  testCode: string;
};

/** The events each service receives. Only GA4 has one for refunds. */
export const EVENTS_OF_PIXEL: Record<PixelKind, readonly DeliveryEvent[]> = {
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

/** The services that deduplicate events: only there a PIX may count as a purchase. */
export const DEDUPES_EVENTS: Record<PixelKind, boolean> = {
  meta: true,
  ga4: true,
  tiktok: true,
  kwai: false,
};

export const PIXEL_NAMES: Record<PixelKind, string> = {
  meta: "Meta (Facebook e Instagram)",
  ga4: "Google Analytics 4",
  tiktok: "TikTok",
  kwai: "Kwai",
};

/** The format of a pixel's id; anything else is probably in the wrong field. */
export const PIXEL_ID: Record<PixelKind, { shape: RegExp; example: string }> = {
  meta: { shape: /^\d{5,20}$/, example: "1234567890123456" },
  ga4: { shape: /^G-[A-Z0-9]{4,14}$/, example: "G-AB12CD34EF" },
  tiktok: { shape: /^[A-Z0-9]{10,30}$/, example: "C4A1B2C3D4E5F6G7H8I9" },
  kwai: { shape: /^\d{5,25}$/, example: "123456789012345" },
};
