import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { attemptRefunds } from "#app/domain/refund/request/attempt-refund.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { BOUGHT, NOTIFIED_PAID, PAYMENT, throughSecond } from "#tests/integration/scenarios/paid.ts";
import { bought, request, unnotified } from "#tests/integration/scenarios/refund-steps.ts";
import { type Scenario, views } from "#tests/integration/scenarios/scenario.ts";

const ALL_BACK = { received: 4700, refunded: 4700, fee: 35 };

/** The whole payment is back. */
const RETURNED = views(BOUGHT, {
  "thank-you page": { shows: ["Reembolsado"], hides: ["Baixar", "Garantia de"] },
  receipt: { shows: ["Valor devolvido R$ 47,00"], hides: ["Desistir e receber"] },
  "buyer portal": { shows: [/devolvid/i], hides: ["Baixar Produto"] },
  "mails to buyer": { shows: [/\[[^\]]*(reembols|devolv)[^\]]*\]/i] },
  "event stream": { lines: ["completed returned"] },
  "status API": { lines: ["completed returned"] },
  "sales list": { shows: ["Reembolsada"] },
  "sale details": { shows: ["Reembolsada", "Devolvido"], hides: ["Reembolsar R$"] },
  "sale API": { shows: ['"status":"refunded"', '"refund_status":"done"'] },
  CSV: { shows: ["Reembolsada"] },
  reports: { shows: ['"total_revenue":0'] },
  webhook: {
    lines: [
      ...NOTIFIED_PAID.webhook,
      "sale.refunded: refunded 4700 refunded 4700",
      "access.revoked: refunded 4700 refunded 4700",
    ],
  },
  "Kiwify webhook": {
    lines: [...NOTIFIED_PAID["Kiwify webhook"], "order_refunded: refunded 4700 commission 4665"],
  },
  "Hotmart webhook": { lines: [...NOTIFIED_PAID["Hotmart webhook"], "PURCHASE_REFUNDED: REFUNDED 4700"] },
  pixels: { lines: [...NOTIFIED_PAID.pixels, "ga4 refund: 4700"].sort() },
  UTMify: { lines: [...NOTIFIED_PAID.UTMify, "refunded: 4700 fee 35 commission 4665"] },
});

/** Nobody requested it here: its seller reads of it. */
const FOUND = views(RETURNED, {
  "mails to seller": {
    shows: [
      "[Devolvido no provedor: R$ 47,00 (Curso de Violão)]",
      "Esta devolução não foi pedida por aqui",
      "o acesso do comprador terminou",
    ],
    hides: ["contest", "não muda"],
  },
});

/** Only the seller says so: buyers read that they do, and sellers that they did. */
const RECORDED = views(RETURNED, {
  "thank-you page": {
    shows: ["Reembolsado", "informou que devolveu o valor"],
    hides: ["O valor foi devolvido"],
  },
  receipt: { shows: ["Devolvida", "como informou"], hides: ["O valor foi devolvido"] },
  "buyer portal": {
    shows: ["informou que devolveu o valor"],
    hides: ["O valor foi devolvido", "Baixar Produto"],
  },
  "mails to buyer": { shows: ["Reembolso informado", "informou que devolveu"], hides: ["Reembolso feito"] },
  "sale details": { shows: ["Reembolsada", "Marcado por você como reembolsado"], hides: ["Reembolsar R$"] },
});

/** A part of the payment is back. */
const PARTLY_RETURNED = views(throughSecond(BOUGHT), {
  "thank-you page": { shows: ["R$ 10,00"] },
  receipt: { shows: ["Valor devolvido R$ 10,00"] },
  "buyer portal": { shows: ["R$ 10,00"] },
  "mails to buyer": { shows: ["R$ 10,00"] },
  "sale details": { shows: ["Reembolsado em parte", "R$ 10,00"] },
  "sale API": { shows: ['"refund_status":"part"'] },
  reports: { shows: ['"total_revenue":47'] },
  webhook: { lines: [...NOTIFIED_PAID.webhook, "sale.partially_refunded: completed 4700 refunded 1000"] },
  pixels: { lines: [...NOTIFIED_PAID.pixels, "ga4 refund: 1000"].sort() },
  UTMify: {
    lines: [
      "waiting_payment: 4700 fee 0 commission 4700",
      "paid: 4700 fee 99 commission 4601",
      "paid: 3700 fee 99 commission 3601",
    ],
  },
});

export const REFUNDS: Record<string, Scenario> = {
  "refunded in full": {
    async play(stage) {
      await bought(stage);
      await request(stage);
      await stage.rig.untilBack(stage.charges[0]!.providerId);
      await stage.check();
    },
    status: "refunded",
    money: ALL_BACK,
    refund: "done",
    views: RETURNED,
  },
  "refunded in part": {
    provider: "second",
    async play(stage) {
      await bought(stage);
      await request(stage, 1000);
      await stage.check();
    },
    status: "completed",
    money: { received: 4700, refunded: 1000, fee: 99 },
    refund: "done",
    views: PARTLY_RETURNED,
  },
  "refunded in part, another part accepted": {
    provider: "second",
    async play(stage) {
      await bought(stage);
      await request(stage, 1000);
      await stage.check();
      await request(stage, 500);
    },
    status: "completed",
    money: { received: 4700, refunded: 1000, fee: 99 },
    refund: "accepted",
    views: views(throughSecond(BOUGHT), {
      "thank-you page": { shows: ["R$ 10,00 desta compra foram devolvidos"] },
      receipt: { shows: ["Valor devolvido R$ 10,00"] },
      "buyer portal": { shows: ["R$ 10,00 desta compra foram devolvidos"] },
      "mails to buyer": { shows: ["R$ 10,00"] },
      "sale details": { shows: ["Devolução de R$ 5,00."] },
      "sale API": { shows: ['"refund_status":"accepted"'] },
      reports: { shows: ['"total_revenue":47'] },
      webhook: { lines: [...NOTIFIED_PAID.webhook, "sale.partially_refunded: completed 4700 refunded 1000"] },
      pixels: { lines: [...NOTIFIED_PAID.pixels, "ga4 refund: 1000"].sort() },
      UTMify: {
        lines: [
          "waiting_payment: 4700 fee 0 commission 4700",
          "paid: 4700 fee 99 commission 4601",
          "paid: 3700 fee 99 commission 3601",
        ],
      },
    }),
  },
  "refunded by hand": {
    async play(stage) {
      await bought(stage);
      await recordRefund(stage.seller.id, stage.saleId);
    },
    status: "refunded",
    money: ALL_BACK,
    refund: "done",
    views: RECORDED,
  },
  "refunded at the provider, with its webhook": {
    async play(stage) {
      await bought(stage);
      await stage.rig.giveBack(stage.charges[0]!.providerId);
      await stage.check();
    },
    status: "refunded",
    money: ALL_BACK,
    refund: "done",
    views: FOUND,
  },
  "refunded at the provider, its webhook lost": {
    async play(stage) {
      await bought(stage);
      await stage.app.sandbox.webhooks({ drop: true });
      await stage.rig.giveBack(stage.charges[0]!.providerId);
      await stage.app.sandbox.webhooks({ drop: false });
      await stage.pacedCheck();
    },
    status: "refunded",
    money: ALL_BACK,
    refund: "done",
    views: FOUND,
  },
  "refunded in part at the provider, its webhook lost": {
    provider: "second",
    async play(stage) {
      await bought(stage);
      await stage.rig.giveBack(stage.charges[0]!.providerId, 1000);
      await stage.pacedCheck();
    },
    status: "completed",
    money: { received: 4700, refunded: 1000, fee: 99 },
    refund: "done",
    views: views(PARTLY_RETURNED, {
      "mails to seller": {
        shows: [
          "[Devolvido no provedor: R$ 10,00 (Curso de Violão)]",
          "É uma parte do valor: o acesso do comprador não muda",
        ],
        hides: ["terminou"],
      },
    }),
  },
  "paid and refunded at the provider before we checked": {
    async play(stage) {
      await stage.deliver();
      await stage.app.sandbox.webhooks({ drop: true });
      await stage.rig.pay(stage.charges[0]!.providerId);
      await stage.rig.giveBack(stage.charges[0]!.providerId);
      await stage.app.sandbox.webhooks({ drop: false });
      await stage.check();
    },
    status: "refunded",
    money: ALL_BACK,
    refund: "done",
    views: views(FOUND, {
      "mails to seller": {
        shows: ["[Devolvido no provedor: R$ 47,00 (Curso de Violão)]", "o comprador não recebeu o acesso"],
        hides: ["Nova venda", "terminou"],
      },
    }),
  },
  "the buyer withdraws": {
    async play(stage) {
      await bought(stage);
      await unnotified(stage, () => requestRefund(stage.email, stage.saleId, ""));
    },
    status: "completed",
    money: PAYMENT,
    refund: "accepted",
    buyerReads: ["accepted"],
    views: views(BOUGHT, {
      receipt: { shows: ["Total pago R$ 47,00"], hides: ["Desistir e receber"] },
      "thank-you page": { shows: ["R$ 47,00"] },
      "buyer portal": { shows: ["Curso de Violão"] },
      "mails to buyer": { shows: [/\[Pedido de reembolso recebido/] },
      "mails to seller": { shows: [/\[Reembolso pedido pelo comprador/] },
      "sale details": { shows: [/aceit/i] },
      webhook: { lines: [...NOTIFIED_PAID.webhook, "refund.requested: completed 4700 refunded 0"] },
      "Hotmart webhook": { lines: [...NOTIFIED_PAID["Hotmart webhook"], "PURCHASE_PROTEST: DISPUTE 4700"] },
    }),
  },
  "the buyer withdraws, the provider refuses": {
    async play(stage) {
      await bought(stage);
      await stage.rig.fail("refund", "refused", 5);
      await requestRefund(stage.email, stage.saleId, "");
      await attemptRefunds.handle({}, { number: 1, last: false });
      await stage.rig.fail("refund", "refused", 0);
    },
    status: "completed",
    money: PAYMENT,
    refund: "refused",
    buyerReads: ["request delayed"],
    views: views(BOUGHT, {
      receipt: { shows: ["Total pago R$ 47,00"], hides: ["Desistir e receber"] },
      "thank-you page": { shows: ["R$ 47,00"] },
      "buyer portal": { shows: ["Curso de Violão"] },
      "mails to buyer": { shows: [/\[O reembolso está demorando/], hides: [/a caminho/] },
      "action items": { lines: ["Reembolso recusado pelo provedor"] },
      "mails to seller": { shows: [/\[Um reembolso não saiu/], hides: [/não é preciso fazer nada/i] },
      "sale details": { shows: [/recus/i] },
      webhook: { lines: [...NOTIFIED_PAID.webhook, "refund.requested: completed 4700 refunded 0"] },
      "Hotmart webhook": { lines: [...NOTIFIED_PAID["Hotmart webhook"], "PURCHASE_PROTEST: DISPUTE 4700"] },
    }),
  },
};
