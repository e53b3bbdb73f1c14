import { expect, test } from "vitest";
import { nextCheck } from "#app/domain/charge/charge-check.server.ts";
import { DAY } from "#app/kit/duration.ts";

const NOW = new Date("2026-11-26T12:00:00Z");
const created = (days: number) => ({
  createdAt: new Date(NOW.getTime() - days * DAY),
  paymentAnnouncedAt: null,
});

test.each(["unknown", "in_review"] as const)(
  "a card that is %s is checked for 30 days: a review may last over a holiday",
  (status) => {
    expect(nextCheck({ status, ...created(29) }, NOW)).not.toBeNull();
    expect(nextCheck({ status, ...created(31) }, NOW)).toBeNull();
  },
);

test.each(["open", "failed", "declined"] as const)(
  "a charge that is %s is checked for three days",
  (status) => {
    expect(nextCheck({ status, ...created(2) }, NOW)).not.toBeNull();
    expect(nextCheck({ status, ...created(4) }, NOW)).toBeNull();
  },
);
