import { expect, test, vi } from "vitest";
import { SALE_STATUSES } from "#app/db/schema/lists.ts";
import { hasAccess, refuseExpiredLink } from "#app/domain/access/has-access.ts";

const NOW = new Date("2026-11-25T12:00:00Z");

test("a buyer has access to a paid purchase, and to a disputed one unless its seller suspends it", () => {
  const open = SALE_STATUSES.filter((status) => hasAccess({ status, accessSuspendedAt: null }));
  expect(open).toEqual(["completed", "disputed"]);
  expect(hasAccess({ status: "disputed", accessSuspendedAt: NOW })).toBe(false);
});

test("a link works until the millisecond in which it ends", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  try {
    expect(() => refuseExpiredLink(NOW.getTime())).not.toThrow();
    expect(() => refuseExpiredLink(NOW.getTime() - 1)).toThrow("Este link expirou");
  } finally {
    vi.useRealTimers();
  }
});
