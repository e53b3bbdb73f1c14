import type { Tx } from "#app/db/client.server.ts";
import {
  manualRefundForBuyer,
  manualRefundForSeller,
} from "#app/domain/refund/request/queue-refund-request-mails.server.ts";
import { queueRequestMails } from "#app/domain/refund/request/queue-request-mails.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";

/** The provider accepted the refund, which is not done yet. Sent once per refund: it may reject one later, and accept another. */
export function queueAcceptedMails(
  tx: Tx,
  saleId: string,
  { refundId, amountCents }: { refundId: string; amountCents: number },
): Promise<void> {
  const amount = formatMoney(amountCents);
  return queueRequestMails(tx, saleId, {
    event: `accepted/${refundId}`,
    toBuyer: ({ product }) => ({
      subject: `O provedor aceitou o seu reembolso: ${product}`,
      lines: [
        `O provedor de pagamento aceitou devolver ${amount} da sua compra de <strong>${escapeHtml(product)}</strong> a quem pagou. Quando o valor voltar, avisamos por e-mail.`,
      ],
    }),
    toSeller: ({ product }) => ({
      subject: `O provedor aceitou o reembolso: ${product}`,
      lines: [
        `O provedor de pagamento aceitou devolver ${amount} a quem comprou <strong>${escapeHtml(product)}</strong>. Não é preciso fazer nada: a venda muda quando a devolução for confirmada.`,
      ],
    }),
  });
}

/** The provider did not confirm the refund. Sent once per request; the seller gets a mail of their own. */
export function queueUnconfirmedMails(tx: Tx, saleId: string, id: string): Promise<void> {
  return queueRequestMails(tx, saleId, {
    event: `unconfirmed/${id}`,
    toBuyer: ({ product, seller, amount }) => ({
      subject: `O provedor não confirmou o seu reembolso: ${product}`,
      lines: [
        `O provedor de pagamento não confirmou que devolveu ${amount} da sua compra de <strong>${escapeHtml(product)}</strong>. Confira a conta ou o cartão que pagou.`,
        `Se o valor não voltou, não é preciso pedir outra vez: seu pedido continua valendo, perguntamos de novo ao provedor e já avisamos ${escapeHtml(seller)}.`,
      ],
    }),
  });
}

/** The provider did not refund it yet. Sent once per request. */
export function queueDelayedMails(tx: Tx, saleId: string, id: string): Promise<void> {
  return queueRequestMails(tx, saleId, {
    event: `delayed/${id}`,
    toBuyer: ({ product, seller }) => ({
      subject: `O reembolso está demorando: ${product}`,
      lines: [
        `O provedor de pagamento ainda não devolveu o valor de <strong>${escapeHtml(product)}</strong>. Seu pedido continua valendo: vamos tentar de novo e já avisamos ${escapeHtml(seller)}.`,
      ],
    }),
    toSeller: ({ product, amount }) => ({
      subject: `Um reembolso não saiu: ${product}`,
      lines: [
        `Quem comprou <strong>${escapeHtml(product)}</strong> tem direito a ${amount} de volta, e o provedor não devolveu. Confira se há saldo na sua conta.`,
        "Tentamos de novo por nossa conta. Na tela da venda está o motivo, e lá você também pode tentar.",
      ],
    }),
  });
}

/** The provider refunds it no more. Sent once per request. */
export function queueManualMails(tx: Tx, saleId: string, id: string): Promise<void> {
  return queueRequestMails(tx, saleId, {
    event: `by-hand/${id}`,
    toBuyer: (context) => ({
      subject: `Seu reembolso é feito por quem vendeu: ${context.product}`,
      lines: [
        `Seu pedido de reembolso de <strong>${escapeHtml(context.product)}</strong> continua valendo: você tem direito a ${context.amount} de volta.`,
        ...manualRefundForBuyer(context),
      ],
    }),
    toSeller: (context) => ({
      subject: `Devolva pelo banco: ${context.product}`,
      lines: [
        `Quem comprou <strong>${escapeHtml(context.product)}</strong> tem direito a ${context.amount} de volta.`,
        manualRefundForSeller(context),
      ],
    }),
  });
}
