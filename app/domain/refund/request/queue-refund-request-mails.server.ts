import type { Tx } from "#app/db/client.server.ts";
import type { RefundAnswer, RefundRequestKind } from "#app/db/schema/lists.ts";
import {
  type MailContext,
  queueRequestMails,
} from "#app/domain/refund/request/queue-request-mails.server.ts";
import { answerDeadline } from "#app/domain/refund/request/refund-window.ts";
import { formatDate } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";

/** A refund request was made. */
export function queueRequestedMails(
  tx: Tx,
  saleId: string,
  {
    id,
    kind,
    createdAt,
    isManual,
  }: { id: string; kind: RefundRequestKind; createdAt: Date; isManual: boolean },
): Promise<void> {
  const dueDate = formatDate(answerDeadline(createdAt));
  if (kind === "question")
    return queueRequestMails(tx, saleId, {
      event: `asked/${id}`,
      toBuyer: ({ product, seller, closedAt }) => ({
        subject: `Pedido de reembolso enviado: ${product}`,
        lines: [
          `Enviamos a <strong>${escapeHtml(seller)}</strong> o seu pedido de reembolso de <strong>${escapeHtml(product)}</strong>. ${answerNote(closedAt, dueDate)}`,
        ],
      }),
      toSeller: ({ product, price, amount, isPartLeft, closedAt }) => ({
        subject: `Um comprador pede reembolso: ${product}`,
        lines: [
          `Quem comprou <strong>${escapeHtml(product)}</strong> por ${price} pede ${isPartLeft ? `de volta os ${amount} que ainda não voltaram` : "o dinheiro de volta"}. O prazo de arrependimento passou: você decide.`,
          ...(closedAt ? [] : [`Responda até <strong>${dueDate}</strong>.`]),
        ],
      }),
    });
  if (isManual)
    return queueRequestMails(tx, saleId, {
      event: `asked-by-hand/${id}`,
      toBuyer: (context) => ({
        subject: `Pedido de reembolso recebido: ${context.product}`,
        lines: [
          `Recebemos o seu pedido de reembolso de <strong>${escapeHtml(context.product)}</strong>: você tem direito a ${context.amount} de volta.`,
          ...manualRefundForBuyer(context),
        ],
      }),
      toSeller: (context) => ({
        subject: `Devolva pelo banco: ${context.product}`,
        lines: [
          `Quem comprou <strong>${escapeHtml(context.product)}</strong> desistiu dentro do prazo da sua garantia e tem direito a ${context.amount} de volta.`,
          manualRefundForSeller(context),
        ],
      }),
    });
  return queueRequestMails(tx, saleId, {
    event: `asked/${id}`,
    toBuyer: ({ product, amount }) => ({
      subject: `Pedido de reembolso recebido: ${product}`,
      lines: [
        `Recebemos o seu pedido de reembolso de <strong>${escapeHtml(product)}</strong>. Nós pedimos ao provedor de pagamento que devolva ${amount} a quem pagou, e avisamos por e-mail da resposta.`,
      ],
    }),
    toSeller: ({ product, amount }) => ({
      subject: `Reembolso pedido pelo comprador: ${product}`,
      lines: [
        `Quem comprou <strong>${escapeHtml(product)}</strong> desistiu dentro do prazo e tem direito a ${amount} de volta.`,
        "Nós pedimos a devolução ao provedor de pagamento, e avisamos por e-mail da resposta.",
      ],
    }),
  });
}

/** The seller of a closed account cannot answer, unless they reopen it. */
function answerNote(closedAt: Date | null, dueDate: string): string {
  return closedAt
    ? "Quem vendeu encerrou a loja, e a resposta pode não vir: para falar com quem vendeu, responda a este e-mail."
    : `A resposta vem por e-mail até <strong>${dueDate}</strong>.`;
}

/** The seller answered a request. Their text is shown on our page only. */
export function queueAnsweredMails(
  tx: Tx,
  saleId: string,
  { id, answer, isManual }: { id: string; answer: RefundAnswer; isManual: boolean },
): Promise<void> {
  if (answer === "granted")
    return queueRequestMails(tx, saleId, {
      event: `${isManual ? "answered-by-hand" : "answered"}/${id}`,
      toBuyer: (context) => ({
        subject: `Reembolso aceito: ${context.product}`,
        lines: [
          `<strong>${escapeHtml(context.seller)}</strong> aceitou o seu pedido de reembolso de <strong>${escapeHtml(context.product)}</strong>: ${context.amount}.`,
          ...(isManual
            ? manualRefundForBuyer(context)
            : [
                "Nós pedimos ao provedor de pagamento que devolva o valor a quem pagou, e avisamos por e-mail da resposta.",
              ]),
        ],
      }),
    });
  return queueRequestMails(tx, saleId, {
    event: `answered/${id}`,
    toBuyer: ({ product, seller }) => ({
      subject: `Resposta ao seu pedido de reembolso: ${product}`,
      lines: [
        `<strong>${escapeHtml(seller)}</strong> não aceitou o seu pedido de reembolso de <strong>${escapeHtml(product)}</strong>. A explicação está na página da compra.`,
        "Para conversar com quem vendeu, responda a este e-mail.",
      ],
    }),
  });
}

/** For a buyer whose seller returns the money outside the provider. */
export function manualRefundForBuyer({ seller }: MailContext): string[] {
  return [
    `O provedor de pagamento não devolve mais este pagamento. Quem devolve é <strong>${escapeHtml(seller)}</strong>, por transferência.`,
    "Responda a este e-mail com a sua chave PIX para combinar.",
  ];
}

/** The seller of a closed account cannot mark the sale before they have reopened it, which their mail says. */
export function manualRefundForSeller({ buyerEmail, closedAt }: MailContext): string {
  if (!buyerEmail)
    return `O provedor não devolve mais este pagamento, e os dados de quem comprou foram apagados: devolva pelo banco à conta de onde veio o pagamento${closedAt ? "" : " e marque a venda como reembolsada"}.`;
  return closedAt
    ? "O provedor não devolve mais este pagamento: combine a chave PIX com quem comprou e devolva pelo banco."
    : "O provedor não devolve mais este pagamento: combine a chave PIX com quem comprou, devolva pelo banco e marque a venda como reembolsada.";
}
