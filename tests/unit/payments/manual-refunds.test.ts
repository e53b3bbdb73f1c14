import { expect, test } from "vitest";
import { manualRefundReason } from "#app/domain/refund/manual-refund-reason.server.ts";
import { areDisputesReported } from "#app/domain/refund/show-disputes.server.ts";
import { DAY } from "#app/kit/duration.ts";

test("a provider refunds until the last moment of its time, then only the seller can", () => {
  const payment = { provider: "pushinpay", method: "pix" as const, paidAt: new Date("2026-07-01T12:00:00Z") };
  const after = (ms: number) => manualRefundReason(payment, new Date(payment.paidAt.getTime() + ms));
  expect(after(0)).toBeNull();
  expect(after(90 * DAY)).toBeNull();
  expect(after(90 * DAY + 1)).toContain("em até 90 dias");
});

test("without a payment at a provider that is known only the seller can refund", () => {
  const paidAt = new Date();
  expect(manualRefundReason(null)).toContain("devolva pelo banco");
  expect(manualRefundReason({ provider: "antigo", method: "pix", paidAt })).toContain("devolva pelo banco");
  expect(manualRefundReason({ provider: "pushinpay", method: "pix", paidAt: null })).toContain(
    "devolva pelo banco",
  );
});

test("disputes of a sale without a payment at a provider are entered by hand", () => {
  expect(areDisputesReported({ payments: [] })).toBe(false);
});
