import { dismissRefund } from "#app/domain/refund/dismiss-refund.server.ts";
import { recordNotReturned } from "#app/domain/refund/record-reversal.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { endUnconfirmedRefund } from "#app/domain/settlement/end-pending-refund.server.ts";
import { BOUGHT, NOTIFIED_PAID, PAYMENT } from "#tests/integration/scenarios/paid.ts";
import { bought, request, unnotified } from "#tests/integration/scenarios/refund-steps.ts";
import { type Scenario, views } from "#tests/integration/scenarios/scenario.ts";

/** The provider accepted, and has not done it as far as known. */
const UNCONFIRMED = views(BOUGHT, {
  "thank-you page": {
    shows: [
      "A devolução de R$ 47,00 foi pedida",
      "e aceita por ele, mas ele não confirmou que a fez",
      "Aprovado",
    ],
  },
  "buyer portal": { shows: ["e aceita por ele, mas ele não confirmou que a fez"] },
  receipt: { shows: ["não confirmada pelo provedor", "Aprovada", "Desistir"] },
  "mails to seller": { shows: [/\[[^\]]*reembolso[^\]]*\]/i] },
  "action items": { lines: ["Reembolso não confirmado"] },
  "sale details": { shows: ["Reembolso não confirmado", "O valor não voltou"], hides: ["Reembolsada"] },
  "sale API": { shows: ['"refund_status":"unconfirmed"'] },
});

/** Money that did not go back, or not yet. */
export const UNDONE_REFUNDS: Record<string, Scenario> = {
  "paid, then called cancelled by its provider": {
    async play(stage) {
      await bought(stage);
      await unnotified(stage, () => stage.rig.cancel(stage.charges[0]!.providerId), false);
      await stage.pacedCheck();
      await stage.deliver();
    },
    status: "completed",
    money: PAYMENT,
    views: views(BOUGHT, {
      "action items": { lines: ["O provedor agora diz “cancelado” de um pagamento confirmado"] },
      "sale details": {
        shows: ["o provedor diz “cancelado” deste pagamento", "O valor não voltou"],
        hides: ["Reembolsada"],
      },
    }),
  },
  "paid, then called cancelled, and its seller says that nothing went back": {
    async play(stage) {
      await bought(stage);
      await unnotified(stage, () => stage.rig.cancel(stage.charges[0]!.providerId), false);
      await stage.pacedCheck();
      await recordNotReturned(stage.seller.id, stage.saleId);
    },
    status: "completed",
    money: PAYMENT,
    views: views(BOUGHT, {
      "sale details": {
        shows: ["você conferiu que o valor não voltou", "Você conferiu no provedor que o valor não voltou"],
        hides: ["Reembolsada"],
      },
    }),
  },
  "refund requested, the answer lost": {
    async play(stage) {
      await bought(stage);
      await stage.rig.fail("refund", "no-answer");
      await request(stage);
    },
    status: "completed",
    money: PAYMENT,
    refund: "requested",
    buyerReads: ["requested"],
    views: views(BOUGHT, {
      "thank-you page": { shows: ["A devolução de R$ 47,00 foi pedida", "Ele ainda não respondeu"] },
      "buyer portal": { shows: ["A devolução de R$ 47,00 foi pedida", "Ele ainda não respondeu"] },
      receipt: {
        shows: ["R$ 47,00: pedida ao provedor de pagamento", "ainda não respondeu", "Desistir"],
      },
      "sale details": { shows: [/pedimos|pedido/i] },
      "sale API": { shows: ['"refund_status":"requested"'] },
    }),
  },
  "refund accepted by the provider": {
    async play(stage) {
      await bought(stage);
      await unnotified(stage, () => request(stage));
    },
    status: "completed",
    money: PAYMENT,
    refund: "accepted",
    buyerReads: ["accepted"],
    views: views(BOUGHT, {
      "thank-you page": { shows: ["aceitou devolver R$ 47,00"], hides: ["Garantia de"] },
      "buyer portal": { shows: ["aceitou devolver R$ 47,00"] },
      receipt: {
        shows: ["R$ 47,00: aceita pelo provedor", "ainda não feita"],
        hides: ["Desistir e receber"],
      },
      "sale details": { shows: [/aceit/i], hides: ["Devolve o valor inteiro"] },
      "sale API": { shows: ['"refund_status":"accepted"'] },
    }),
  },
  "refund refused by the provider": {
    async play(stage) {
      await bought(stage);
      await stage.rig.fail("refund", "refused");
      await request(stage);
    },
    status: "completed",
    money: PAYMENT,
    refund: "refused",
    views: views(BOUGHT, {
      "action items": { lines: ["Reembolso recusado pelo provedor"] },
      "sale details": { shows: [/recus/i, "Se falta saldo", "Desistir do reembolso"] },
      "sale API": { shows: ['"refund_status":"refused"'] },
    }),
  },
  "refund refused by the provider, and its seller does without it": {
    async play(stage) {
      await bought(stage);
      await stage.rig.fail("refund", "refused");
      await request(stage);
      await dismissRefund(stage.seller.id, stage.charges[0]!.chargeId);
    },
    status: "completed",
    money: PAYMENT,
    refund: "refused",
    views: views(BOUGHT, {
      "sale details": {
        shows: ["você desistiu dele, e a venda continua paga", "Você desistiu do reembolso"],
        hides: ["Desistir do reembolso?"],
      },
      "sale API": { shows: ['"refund_status":"refused"'] },
    }),
  },
  "refund accepted by the provider, and never confirmed": {
    async play(stage) {
      await bought(stage);
      await unnotified(stage, () => request(stage));
      await endUnconfirmedRefund(stage.charges[0]!.chargeId, new Date(Date.now() + 60_000));
    },
    status: "completed",
    money: PAYMENT,
    refund: "unconfirmed",
    buyerReads: ["unconfirmed"],
    views: UNCONFIRMED,
  },
  "the buyer withdraws, the provider accepts, and never confirms": {
    async play(stage) {
      await bought(stage);
      await unnotified(stage, () => requestRefund(stage.email, stage.saleId, ""));
      await endUnconfirmedRefund(stage.charges[0]!.chargeId, new Date(Date.now() + 60_000));
    },
    status: "completed",
    money: PAYMENT,
    // The mail sent when it was accepted says so permanently; no page does.
    refund: "accepted",
    buyerReads: ["request unconfirmed", "unconfirmed"],
    views: views(UNCONFIRMED, {
      "thank-you page": { shows: ["mas ele não confirmou que a fez"], hides: ["a caminho"] },
      "buyer portal": { shows: ["mas ele não confirmou que a fez"], hides: ["a caminho"] },
      receipt: {
        shows: ["não confirmada pelo provedor", "Pedido de reembolso recebido"],
        hides: ["Desistir e receber", "a caminho"],
      },
      "mails to buyer": { shows: [/\[Pedido de reembolso recebido/] },
      // The buyer has a right to it: it does not end without the money.
      "sale details": { shows: ["Reembolso não confirmado"], hides: ["O valor não voltou", "Reembolsada"] },
      webhook: { lines: [...NOTIFIED_PAID.webhook, "refund.requested: completed 4700 refunded 0"] },
      "Hotmart webhook": { lines: [...NOTIFIED_PAID["Hotmart webhook"], "PURCHASE_PROTEST: DISPUTE 4700"] },
    }),
  },
  "refund never confirmed, and its seller says that it did not come back": {
    async play(stage) {
      await bought(stage);
      await unnotified(stage, () => request(stage));
      await endUnconfirmedRefund(stage.charges[0]!.chargeId, new Date(Date.now() + 60_000));
      await dismissRefund(stage.seller.id, stage.charges[0]!.chargeId);
    },
    status: "completed",
    money: PAYMENT,
    refund: "unconfirmed",
    buyerReads: ["not done"],
    views: views(UNCONFIRMED, {
      "action items": { lines: [] },
      "thank-you page": {
        shows: ["não aconteceu", "conferiu em", "A compra continua paga"],
        hides: ["aceit"],
      },
      "buyer portal": { shows: ["não aconteceu", "conferiu em"], hides: ["aceit"] },
      receipt: { shows: ["não aconteceu", "o valor não voltou", "Aprovada", "Desistir"] },
      "sale details": { shows: ["você conferiu que o valor não voltou", "Você conferiu no provedor"] },
    }),
  },
};
