import { expect, test } from "vitest";
import { timelineWords } from "#app/domain/reports/timeline-words.ts";

const of = { id: "c1", at: new Date(), chargeId: "1", source: "charge", cause: "system" } as const;

test.each([
  ["no-answer", "outgoing call: network", "o provedor não respondeu (a conexão falhou)"],
  ["no-answer", "outgoing call: timeout", "o provedor não respondeu (a resposta demorou demais)"],
  ["credentials", "401: Unauthenticated.", "a chave não foi aceita (resposta: “401: Unauthenticated.”)"],
  ["busy", "", "o provedor pediu para esperar"],
] as const)("a sale's history tells of %s (%s) in Portuguese", (why, detail, words) => {
  const entry = { ...of, kind: "unanswered", data: { why, detail, tookMs: 5 } } as const;
  expect(timelineWords(entry)).toBe(`Perguntamos ao provedor, sem resposta: ${words}`);
});
