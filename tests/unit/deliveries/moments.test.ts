import { expect, test } from "vitest";
import { momentOf } from "#app/domain/delivery/pixel/moment-of.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { HOUR } from "#app/kit/duration.ts";

const ORDERED = new Date("2026-06-08T14:53:07Z");

/** Until when a PIX counted as a purchase, at a pixel where none does now. */
const EARLIER = [{ since: "2026-06-01T00:00:00Z", until: "2026-06-09T00:00:00Z" }];

/** What an event is to an advertiser that counts PIX since a moment, or did before, so many milliseconds after the order. */
function momentAfter(
  event: "sale.paid" | "pix.generated",
  ms: number,
  counts: string | typeof EARLIER | null,
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
  const counting = Array.isArray(counts)
    ? { countsPixSince: null, earlierCounts: counts }
    : { countsPixSince: counts };
  return momentOf(notification, { pixelId: "1", ...counting, testCode: "" });
}

test.each([
  ["within 47 hours of a counted PIX", "purchase", 47 * HOUR, "2026-06-01T00:00:00Z"],
  ["later than that", "said-before", 47 * HOUR + 1, "2026-06-01T00:00:00Z"],
  ["later, though its order is from before the switch", "said-before", 48 * HOUR, "2026-06-08T14:53:08Z"],
  ["later, where none counts any more", "said-before", 48 * HOUR, EARLIER],
  ["later, where no PIX ever counted", "purchase", 48 * HOUR, null],
])("a payment %s is %s", (_, moment, ms, counts) => {
  expect(momentAfter("sale.paid", ms, counts)).toBe(moment);
});

test.each([
  ["within 47 hours of the order", "purchase", 47 * HOUR, "2026-06-01T00:00:00Z"],
  ["later than that", "said-before", 47 * HOUR + 1, "2026-06-01T00:00:00Z"],
  ["later, of an order from before the switch", "said-before", 48 * HOUR, "2026-06-08T14:53:08Z"],
  ["later, where none counts any more", "payment", 48 * HOUR, EARLIER],
  ["later, where no PIX ever counted", "payment", 48 * HOUR, null],
])("a PIX %s is %s", (_, moment, ms, counts) => {
  expect(momentAfter("pix.generated", ms, counts)).toBe(moment);
});

test("a payment without a PIX was not counted before, however late it is", () => {
  expect(momentAfter("sale.paid", 48 * HOUR, "2026-06-01T00:00:00Z", false)).toBe("purchase");
});
