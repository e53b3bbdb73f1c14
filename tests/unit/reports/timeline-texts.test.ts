import { expect, test } from "vitest";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";

const of = {
  id: "c1",
  at: new Date(),
  chargeId: "1",
  source: "charge",
  isCard: false,
  byProvider: "pela PushInPay",
  cause: "system",
} as const;

test.each([
  ["no-answer", "outgoing call: network", "o provedor não respondeu (a conexão falhou)"],
  ["no-answer", "outgoing call: timeout", "o provedor não respondeu (a resposta demorou demais)"],
  ["credentials", "401: Unauthenticated.", "a chave não foi aceita (resposta: “401: Unauthenticated.”)"],
  ["busy", "500: Server Error", "o provedor estava indisponível (resposta: “500: Server Error”)"],
] as const)("a sale's history shows %s (%s) in Portuguese", (reason, detail, text) => {
  const entry = { ...of, kind: "unanswered", data: { why: reason, detail, tookMs: 5 } } as const;
  expect(describeTimelineEntry(entry)).toBe(`Perguntamos ao provedor, sem resposta: ${text}`);
});
