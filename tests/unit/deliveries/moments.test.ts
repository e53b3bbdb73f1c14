import { expect, test } from "vitest";
import { momentOf } from "#app/domain/delivery/pixel/moment-of.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { HOUR } from "#app/kit/duration.ts";

const ORDERED = new Date("2026-06-08T14:53:07Z");

/** What an event is to an advertiser that counts PIX since a moment, so many milliseconds after the order. */
function momentAfter(
  event: "sale.paid" | "pix.generated",
  ms: number,
  countsPixSince: string | null,
  hadPix = true,
) {
  const sample = sampleNotification(event, { subjectId: "s", sellerId: "s", createdAt: ORDERED });
  const at = new Date(ORDERED.getTime() + ms);
  const notification: SaleNotification = {
    ...sample,
    at,
    sale: { ...sample.sale, createdAt: ORDERED },
    pix: hadPix ? sample.pix : null,
  };
  return momentOf(notification, { pixelId: "1", countsPixSince, testCode: "" });
}

test.each([
  ["within 47 hours of a counted PIX", "purchase", 47 * HOUR, "2026-06-01T00:00:00Z"],
  ["later than that", "said-before", 47 * HOUR + 1, "2026-06-01T00:00:00Z"],
  ["later, of a PIX of the very moment of the switch", "said-before", 48 * HOUR, ORDERED.toISOString()],
  ["later, of a PIX from before the switch", "purchase", 48 * HOUR, "2026-06-08T14:53:08Z"],
  ["later, where no PIX counts", "purchase", 48 * HOUR, null],
])("a payment %s is %s", (_, moment, ms, countsPixSince) => {
  expect(momentAfter("sale.paid", ms, countsPixSince)).toBe(moment);
});

test.each([
  ["within 47 hours of the order", "purchase", 47 * HOUR, "2026-06-01T00:00:00Z"],
  ["later than that", "said-before", 47 * HOUR + 1, "2026-06-01T00:00:00Z"],
  ["later, of an order from before the switch", "purchase", 48 * HOUR, "2026-06-08T14:53:08Z"],
  ["later, where no PIX counts", "payment", 48 * HOUR, null],
])("a PIX %s is %s", (_, moment, ms, countsPixSince) => {
  expect(momentAfter("pix.generated", ms, countsPixSince)).toBe(moment);
});

test("a payment without a PIX was not counted before, however late it is", () => {
  expect(momentAfter("sale.paid", 48 * HOUR, "2026-06-01T00:00:00Z", false)).toBe("purchase");
});
