import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { BOUGHT, NOTIFIED_PAID, PAYMENT, throughSecond } from "#tests/integration/scenarios/paid.ts";
import { type Cell, type Scenario, views } from "#tests/integration/scenarios/scenario.ts";
import type { Stage } from "#tests/integration/scenarios/stage.ts";
import type { View } from "#tests/integration/scenarios/views.ts";

const SECOND_FEE = { received: 4700, refunded: 0, fee: 99 };
const TAKEN = { received: 4700, refunded: 4700, fee: 35 };

async function bought({ pay, deliver }: Stage): Promise<void> {
  await pay();
  await deliver();
}

const DISPUTED = views(BOUGHT, {
  "thank-you page": { shows: ["R$ 47,00", /contest/i], hides: ["Devolvido", "Reembolsado"] },
  receipt: { shows: [/contest/i], hides: ["Valor devolvido", "Desistir e receber"] },
  "buyer portal": { shows: [/contest/i] },
  "mails to seller": {
    shows: [/\[[^\]]*contest[^\]]*\]/i, "Configurações › Gateways › Contestações"],
    hides: ["como você escolheu"],
  },
  "action items": { lines: ["Pagamento contestado"] },
  "sales list": { shows: ["Em contestação"] },
  "sale details": { shows: ["Em contestação", "Saldo desta venda"], hides: ["Devolve o valor", "Líquido"] },
  "sale API": { shows: ['"status":"disputed"'] },
  CSV: { shows: ["Em contestação"] },
  reports: { shows: ['"total_revenue":0'] },
  webhook: { lines: [...NOTIFIED_PAID.webhook, "sale.disputed: disputed 4700 refunded 0"] },
  "Hotmart webhook": { lines: [...NOTIFIED_PAID["Hotmart webhook"], "PURCHASE_PROTEST: DISPUTE 4700"] },
});

const CHARGED_BACK = views(DISPUTED, {
  "thank-you page": { shows: ["R$ 47,00", /contest/i], hides: ["Baixar", "Garantia de"] },
  receipt: { shows: ["Contestada e devolvida"], hides: ["Desistir e receber"] },
  "buyer portal": { shows: [/contestado e devolvido/i], hides: ["Baixar Produto"] },
  "event stream": { lines: ["completed returned"] },
  "status API": { lines: ["completed returned"] },
  "action items": { lines: [] },
  "sales list": { shows: ["Chargeback"] },
  "sale details": { shows: ["Chargeback"], hides: ["Reembolsar R$", "Devolve o valor"] },
  "sale API": { shows: ['"status":"chargedback"', '"refund_status":"contested"'] },
  CSV: { shows: ["Chargeback"] },
  reports: { shows: ['"total_revenue":0'] },
  webhook: {
    lines: [
      ...NOTIFIED_PAID.webhook,
      "sale.disputed: disputed 4700 refunded 0",
      "sale.chargedback: chargedback 4700 refunded 4700",
      "access.revoked: chargedback 4700 refunded 4700",
    ],
  },
  "Kiwify webhook": {
    lines: [...NOTIFIED_PAID["Kiwify webhook"], "chargeback: chargedback 4700 commission 4665"],
  },
  "Hotmart webhook": {
    lines: [
      ...NOTIFIED_PAID["Hotmart webhook"],
      "PURCHASE_PROTEST: DISPUTE 4700",
      "PURCHASE_CHARGEBACK: CHARGEBACK 4700",
    ],
  },
  pixels: { lines: [...NOTIFIED_PAID.pixels, "ga4 refund: 4700"].sort() },
  UTMify: { lines: [...NOTIFIED_PAID.UTMify, "chargedback: 4700 fee 35 commission 4665"] },
});

/** The bank drops the dispute: the sale is as before, and what programs received stays. */
const REJECTED = views(BOUGHT, {
  "mails to seller": { shows: [/\[[^\]]*contest[^\]]*\]/i] },
  webhook: {
    shows: ["sale.disputed: disputed 4700 refunded 0"],
    hides: ["sale.chargedback", "access.revoked"],
  },
  "Hotmart webhook": { shows: ["PURCHASE_PROTEST: DISPUTE 4700"], hides: ["CHARGEBACK"] },
});

/** Only the seller says that the bank took the money back: no page and no mail states it as a fact. */
const CHARGED_BACK_BY_HAND = views(CHARGED_BACK, {
  "thank-you page": { shows: [/informou que o pagamento foi contestado/], hides: ["Baixar", "Garantia de"] },
  receipt: { shows: [/R\$ 47,00, como informou/], hides: ["Desistir e receber"] },
  "buyer portal": { shows: [/informou que o pagamento foi contestado/], hides: ["Baixar Produto"] },
  "mails to buyer": { shows: [/informou que o pagamento da sua compra/], hides: [/foi aceita/] },
});

/** Entered by the seller, who gets no mail about it. */
const manually = (base: Record<View, Cell>) =>
  views(base, { "mails to seller": { cannot: "They entered it themselves.", hides: [/contest/i] } });

export const DISPUTES: Record<string, Scenario> = {
  "contested, found by a check": {
    provider: "second",
    async play(stage) {
      await bought(stage);
      await stage.rig.contest(stage.charges[0]!.providerId);
      await stage.check();
    },
    status: "disputed",
    money: SECOND_FEE,
    views: throughSecond(DISPUTED),
  },
  "contested, entered by hand": {
    async play(stage) {
      await bought(stage);
      await recordDispute(stage.seller.id, stage.saleId, "Aviso do banco");
    },
    status: "disputed",
    money: PAYMENT,
    views: manually(DISPUTED),
  },
  "contestation rejected, found by a check": {
    provider: "second",
    async play(stage) {
      const { rig, charges, check, deliver } = stage;
      await bought(stage);
      await rig.contest(charges[0]!.providerId);
      await check();
      await deliver();
      await rig.reject(charges[0]!.providerId);
      await check();
    },
    status: "completed",
    money: SECOND_FEE,
    views: throughSecond(REJECTED),
  },
  "contestation rejected, entered by hand": {
    async play(stage) {
      await bought(stage);
      await recordDispute(stage.seller.id, stage.saleId);
      await stage.deliver();
      await recordDecision(stage.seller.id, stage.saleId, "won");
    },
    status: "completed",
    money: PAYMENT,
    views: manually(REJECTED),
  },
  "charged back, found by a check": {
    provider: "second",
    async play(stage) {
      const { rig, charges, check, deliver } = stage;
      await bought(stage);
      await rig.contest(charges[0]!.providerId);
      await check();
      await deliver();
      await rig.accept(charges[0]!.providerId);
      await check();
    },
    status: "chargedback",
    money: { ...TAKEN, fee: 99 },
    refund: "done",
    views: throughSecond(CHARGED_BACK),
  },
  "charged back, entered by hand": {
    async play(stage) {
      await bought(stage);
      await recordDispute(stage.seller.id, stage.saleId);
      await stage.deliver();
      await recordDecision(stage.seller.id, stage.saleId, "lost");
    },
    status: "chargedback",
    money: TAKEN,
    refund: "done",
    views: manually(CHARGED_BACK_BY_HAND),
  },
};
