import { expect, test } from "vitest";
import { type KnownCharge, summarizePayments } from "#app/domain/sale/payment-summary.ts";

const NOW = new Date("2026-11-25T12:00:00Z");
const charge = (fields: Partial<KnownCharge>): KnownCharge => ({
  ...{ id: "1", method: "pix", status: "open", createdAt: NOW, expiresAt: null, announcedAt: null },
  ...{ paidAt: null, paidCents: null, feeCents: null, overpaidAt: null, refunds: [] },
  ...fields,
});
const of = (status: "pending" | "failed", charges: KnownCharge[]) => {
  const sale = { status, amountCents: 4700, completedAt: null, feeCents: null, refundedCents: 0, charges };
  const { buyer, apiStatus: api } = summarizePayments(sale, NOW);
  return { buyer, api };
};

test("an order for which no code could be made states it, and not that a payment was refused", () => {
  expect(of("pending", [charge({ status: "failed" })])).toEqual({ buyer: "unmade", api: "pending" });
  expect(of("failed", [charge({ status: "failed" })])).toEqual({ buyer: "unmade", api: "failed" });
  const ended = charge({ id: "2", status: "expired", createdAt: new Date("2026-11-25T11:00:00Z") });
  expect(of("pending", [charge({ status: "failed" }), ended])).toEqual({ buyer: "unmade", api: "pending" });
});

test("a card that its bank challenges is neither in review nor payable another way", () => {
  const sent = charge({ id: "2", method: "card", status: "in_review" });
  const open = charge({ expiresAt: new Date("2026-11-25T13:00:00Z") });
  expect(of("pending", [open, { ...sent, isChallenged: true }])).toEqual({
    buyer: "challenged",
    api: "pending",
  });
  expect(of("pending", [open, sent])).toEqual({ buyer: "in-review", api: "pending" });
});

test("a code that brought another amount was used, also once that went back", () => {
  const back = {
    status: "done" as const,
    origin: "requested" as const,
    amountCents: 1000,
    requestedAt: NOW,
    acceptedAt: NOW,
    endedAt: NOW,
    dismissedAt: null,
  };
  const mismatched = charge({ status: "mispaid", paidCents: 1000, paidAt: NOW });
  expect(of("pending", [mismatched])).toEqual({ buyer: "mispaid", api: "pending" });
  expect(of("pending", [{ ...mismatched, refunds: [back] }])).toEqual({ buyer: "used", api: "pending" });
  // Its order failed by another code meanwhile: every view says so.
  expect(of("failed", [{ ...mismatched, refunds: [back] }])).toEqual({ buyer: "used", api: "failed" });
});
