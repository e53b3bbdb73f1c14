import { describe, expect, test } from "vitest";
import { UNPROVED, UNREADABLE } from "#app/domain/charge/unclear-webhooks.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import type { TimelineEntry } from "#app/domain/reports/read-timeline.server.ts";
import { UNSENT_REFUND } from "#app/domain/sale/events.ts";

const of = {
  id: "c1",
  at: new Date(),
  chargeId: "1",
  source: "charge",
  isCard: false,
  byProvider: "pela PushInPay",
  cause: "system",
} as const;

/** As the seller reads it, with ordinary spaces in amounts. */
const textOf = (entry: object) =>
  describeTimelineEntry({ ...of, ...entry } as TimelineEntry).replaceAll("\u00a0", " ");

test.each([
  ["no-answer", "outgoing call: network", "o provedor não respondeu (a conexão falhou)"],
  ["no-answer", "outgoing call: timeout", "o provedor não respondeu (a resposta demorou demais)"],
  ["credentials", "401: Unauthenticated.", "a chave não foi aceita (resposta: “401: Unauthenticated.”)"],
  ["busy", "500: Server Error", "o provedor estava indisponível (resposta: “500: Server Error”)"],
  ["nonsense", "", "a resposta não serviu"],
] as const)("a sale's history shows %s (%s) in Portuguese", (reason, detail, text) => {
  const entry = { ...of, kind: "unanswered", data: { why: reason, detail, tookMs: 5 } } as const;
  expect(describeTimelineEntry(entry)).toBe(`Perguntamos ao provedor, sem resposta: ${text}`);
});

test.each([
  ["paid", "paid", "O provedor avisou: está pago"],
  ["unclear", "em-estudo", "O provedor avisou: “em-estudo”"],
  ["unclear", UNREADABLE, "Chegou um aviso que não conseguimos ler"],
  ["unclear", UNPROVED, "Chegou um aviso sem assinatura válida"],
])("a webhook in state %s, by the provider %s: %s", (state, word, text) => {
  expect(textOf({ source: "news", kind: "news", data: { state, word } })).toBe(text);
});

describe("what a sale's event says depends on its data", () => {
  test.each([
    ["placed", { via: "checkout" }, "Pedido feito no checkout"],
    ["placed", { via: "offer" }, "Oferta aceita depois da compra"],
    ["failed", { why: "cancelled" }, "Pagamento cancelado"],
    ["failed", { why: "busy" }, "Pedido sem código PIX: o provedor recusou"],
    ["partly_refunded", { amountCents: 1990 }, "Parte devolvida: R$ 19,90"],
    // By a card as by a code; an order by card may never have had one.
    ["reopened", {}, "O comprador tentou pagar de novo: a venda voltou a esperar o pagamento"],
    ["cancelled", {}, "Pedido encerrado por falta de pagamento"],
  ])("%s, %o: %s", (kind, data, text) => {
    expect(textOf({ source: "sale", kind, data })).toBe(text);
  });
});

describe("an event that its seller caused is told as theirs", () => {
  test.each([
    ["refunded", "Marcada como reembolsada por você", "Venda reembolsada por inteiro"],
    [
      "disputed",
      "Contestação registrada por você: a venda espera a decisão do banco",
      "O banco de quem pagou contestou o pagamento: a venda espera a decisão",
    ],
    [
      "dispute_won",
      "Recusa da contestação registrada por você: a venda voltou a valer",
      "Contestação recusada: a venda voltou a valer",
    ],
    [
      "chargedback",
      "Chargeback registrado por você: o banco devolveu o valor a quem pagou",
      "Contestação aceita: o valor voltou a quem pagou",
    ],
  ])("%s", (kind, bySeller, byProvider) => {
    const causedBy = (cause: string) => textOf({ source: "sale", kind, data: {}, cause });
    expect([causedBy("seller"), causedBy("provider")]).toEqual([bySeller, byProvider]);
  });

  test("a refund that was done", () => {
    const done = { kind: "refund_done", data: { refundId: "r", amountCents: 1990 } };
    expect(textOf({ ...done, cause: "seller" })).toBe("Devolução de R$ 19,90 anotada por você");
    expect(textOf({ ...done, cause: "provider" })).toBe("Devolução de R$ 19,90 confirmada pelo provedor");
  });
});

test.each([
  ["buyer", { from: "b•••@exemplo.com.br" }, "O comprador corrigiu o e-mail (antes: b•••@exemplo.com.br)"],
  [
    "seller",
    { from: "b•••@exemplo.com.br" },
    "Você corrigiu os dados do cliente (antes: b•••@exemplo.com.br)",
  ],
  ["seller", {}, "Você corrigiu os dados do cliente"],
])("a correction by the %s names the old e-mail if it was corrected: %o", (cause, data, text) => {
  expect(textOf({ source: "sale", kind: "customer_edited", data, cause })).toBe(text);
});

describe("what a charge's event says depends on its data", () => {
  test.each([
    ["requested", {}, "Código PIX pedido ao provedor"],
    [
      "requested",
      { insteadOf: "a Woovi" },
      "Código PIX pedido a outra conta: a Woovi não estava gerando códigos",
    ],
    ["made", { tookMs: 999 }, "Código PIX gerado pela PushInPay em 999 ms"],
    ["made", { tookMs: 1000 }, "Código PIX gerado pela PushInPay em 1,0 s"],
    ["made", { tookMs: 60_000 }, "Código PIX gerado pela PushInPay em 60,0 s"],
    ["asked", { state: "paid", word: "paid", tookMs: 80 }, "Perguntamos ao provedor: está pago (80 ms)"],
    ["asked", { state: "odd", word: "estranho", tookMs: 80 }, "Perguntamos ao provedor: “estranho” (80 ms)"],
    ["in_review", {}, "O pagamento com cartão está em análise no provedor"],
    ["in_review", { state: "challenged" }, "O banco do cartão pediu que o comprador confirme a compra"],
    ["declined", { reason: "limit", detail: "" }, "O cartão não foi aprovado: limite insuficiente"],
    ["paid", { amountCents: 9700, feeCents: null }, "Pagamento de R$ 97,00 confirmado"],
    ["paid", { amountCents: 9700, feeCents: 0 }, "Pagamento de R$ 97,00 confirmado, taxa de R$ 0,00"],
    ["paid", { amountCents: 9700, feeCents: 35 }, "Pagamento de R$ 97,00 confirmado, taxa de R$ 0,35"],
    ["refund_requested", { amountCents: 1990 }, "Reembolso de R$ 19,90 pedido ao provedor"],
    [
      "refund_requested",
      { amountCents: 1990, reason: "setting" },
      "Devolução automática de R$ 19,90: você escolheu assim em Configurações",
    ],
    ["refund_refused", { why: "refused", detail: "" }, "Reembolso não aceito: recusado"],
    [
      "refund_refused",
      { why: "refused", detail: "Saldo insuficiente." },
      "Reembolso não aceito: recusado (resposta: “Saldo insuficiente.”)",
    ],
    [
      "refund_refused",
      { why: "refused", detail: UNSENT_REFUND.returned },
      `Devolução automática não enviada: ${UNSENT_REFUND.returned}`,
    ],
  ])("%s, %o: %s", (kind, data, text) => {
    expect(textOf({ kind, data })).toBe(text);
  });
});

test("the end of a code says whether its provider reported it", () => {
  const expired = { kind: "expired", data: {} };
  expect(textOf({ ...expired, cause: "provider" })).toBe("O código PIX expirou no provedor");
  expect(textOf({ ...expired, cause: "clock" })).toBe(
    "O código PIX venceu sem que um pagamento fosse confirmado",
  );
});

test("a card's events speak of a card, a PIX's of a code", () => {
  const failed = { kind: "failed", data: { why: "refused", detail: "" } };
  expect(textOf({ ...failed, isCard: true })).toBe("O cartão não foi cobrado pela PushInPay: recusado");
  expect(textOf(failed)).toBe("O código PIX não foi gerado pela PushInPay: recusado");
  const paid = { kind: "paid", data: { amountCents: 9700, feeCents: null } };
  expect(textOf({ ...paid, isCard: true })).toBe(textOf(paid));
});

test.each([
  ["queued", null, "E-mail da compra para bia@exemplo.com.br: na fila"],
  ["sent", null, "E-mail da compra para bia@exemplo.com.br: enviado"],
  // The error of an earlier attempt.
  ["sent", "421: try later", "E-mail da compra para bia@exemplo.com.br: enviado"],
  ["failed", null, "E-mail da compra para bia@exemplo.com.br: não enviado"],
  [
    "failed",
    "o Resend não conseguiu enviar",
    "E-mail da compra para bia@exemplo.com.br: não enviado: O Resend não conseguiu enviar.",
  ],
  [
    "failed",
    "Não enviado: a venda foi reembolsada.",
    "E-mail da compra para bia@exemplo.com.br: não enviado: a venda foi reembolsada.",
  ],
])("a mail that is %s (%s) says why only if it was not sent, and says so once", (kind, error, text) => {
  const data = { mail: "purchase", recipient: "bia@exemplo.com.br", error };
  expect(textOf({ source: "mail", kind, data })).toBe(text);
});

test("a mail whose address was anonymized is one to an erased address", () => {
  const data = { mail: "purchase", recipient: "", error: null };
  expect(textOf({ source: "mail", kind: "sent", data })).toBe(
    "E-mail da compra para um endereço apagado: enviado",
  );
});

test("a report to UTMify names the order's state and what became of it; an unknown word stays itself", () => {
  const tracked = (state: string, status: string) =>
    textOf({ source: "tracking", kind: "tracked", data: { state, status, responseStatus: null } });
  expect(tracked("paid", "sent")).toBe("UTMify, “pago”: enviado");
  expect(tracked("outro", "dropped")).toBe("UTMify, “outro”: não enviado");
});
