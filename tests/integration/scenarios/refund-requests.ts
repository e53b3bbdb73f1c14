import { answerRefundRequest } from "#app/domain/refund/request/answer-refund-request.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { BOUGHT, NOTIFIED_PAID, PAYMENT } from "#tests/integration/scenarios/paid.ts";
import { bought, unnotified } from "#tests/integration/scenarios/refund-steps.ts";
import { type Scenario, views } from "#tests/integration/scenarios/scenario.ts";
import type { Stage } from "#tests/integration/scenarios/stage.ts";
import { sql } from "#tests/support/database.ts";

const REQUESTED = {
  webhook: { lines: [...NOTIFIED_PAID.webhook, "refund.requested: completed 4700 refunded 0"] },
  "Hotmart webhook": { lines: [...NOTIFIED_PAID["Hotmart webhook"], "PURCHASE_PROTEST: DISPUTE 4700"] },
};

/** The time in which no reason is needed is over. */
async function askLate(stage: Stage): Promise<void> {
  await bought(stage);
  await sql`update sales set guarantee_days = 1, completed_at = now() - interval '3 days', created_at = now() - interval '3 days'
    where id = ${stage.saleId}`;
  await requestRefund(stage.email, stage.saleId, "Não gostei");
}

/** Open refund requests of buyers, and their answers. */
export const REFUND_REQUESTS: Record<string, Scenario> = {
  "the buyer withdraws, the provider does not answer": {
    async play(stage) {
      await bought(stage);
      await stage.rig.fail("refund", "no-answer", 3);
      await unnotified(stage, () => requestRefund(stage.email, stage.saleId, ""), false);
      await stage.rig.fail("refund", "no-answer", 0);
    },
    status: "completed",
    money: PAYMENT,
    refund: "requested",
    buyerReads: ["request received", "requested"],
    views: views(BOUGHT, {
      ...REQUESTED,
      "thank-you page": { shows: ["Aprovado", "Pedido de reembolso recebido"] },
      receipt: { shows: ["R$ 47,00: pedida ao provedor de pagamento"], hides: ["Desistir e receber"] },
      "buyer portal": { shows: ["Curso de Violão"] },
      "mails to buyer": { shows: [/\[Pedido de reembolso recebido/] },
      "mails to seller": { shows: [/\[Reembolso pedido pelo comprador/] },
      "sale details": { shows: [/pedimos|pedido/i] },
      "sale API": { shows: ['"refund_status":"requested"'] },
    }),
  },
  "the buyer asks after the guarantee": {
    play: askLate,
    status: "completed",
    money: PAYMENT,
    buyerReads: ["request waits"],
    views: views(BOUGHT, {
      ...REQUESTED,
      "thank-you page": { shows: ["Aprovado", "Até lá, o acesso continua"] },
      receipt: { shows: ["Aprovada"], hides: ["Enviar o pedido"] },
      "buyer portal": { shows: ["Curso de Violão"] },
      "mails to buyer": { shows: [/\[[^\]]*reembolso[^\]]*\]/i] },
      "mails to seller": { shows: [/\[[^\]]*reembolso[^\]]*\]/i] },
      "action items": { lines: ["Comprador pede reembolso"] },
      "sale details": { shows: ["Não gostei"] },
    }),
  },
  "the buyer asks after the guarantee, the seller declines": {
    async play(stage) {
      await askLate(stage);
      await answerRefundRequest(stage.seller.id, stage.saleId, {
        answer: "declined",
        text: "O prazo passou.",
      });
    },
    status: "completed",
    money: PAYMENT,
    buyerReads: [],
    views: views(BOUGHT, {
      ...REQUESTED,
      "thank-you page": { shows: ["Aprovado"], hides: ["reembolso"] },
      receipt: { shows: ["Aprovada", "não aceitou o pedido", "O prazo passou."] },
      "buyer portal": { shows: ["Curso de Violão"], hides: ["Pedido de reembolso"] },
      "mails to buyer": { shows: [/\[[^\]]*reembolso[^\]]*\]/i] },
      "mails to seller": { shows: [/\[[^\]]*reembolso[^\]]*\]/i] },
      "sale details": { shows: ["Não gostei"] },
    }),
  },
};
