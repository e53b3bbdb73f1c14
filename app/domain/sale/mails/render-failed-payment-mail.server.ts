import type { MailData } from "#app/db/schema/mail-data.ts";
import { capitalizedNameOf } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { SaleEventData } from "#app/domain/sale/events.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

/** Why an order could not be paid, for its seller; `detail` is the provider's own text, `name` that of the provider with its article. */
const REASONS: Record<SaleEventData["failed"]["why"], (detail: string, name: string) => string> = {
  credentials: (_, name) =>
    `${name} não aceitou a sua chave, e este pedido não pôde ser pago por lá. Confira a conexão em Configurações.`,
  refused: (detail) => truncate(`O provedor de pagamento recusou o PIX deste pedido: ${detail}`, 300),
  cancelled: () => "O pagamento deste pedido foi cancelado no provedor de pagamento.",
  busy: () => "O provedor de pagamento não conseguiu gerar o PIX deste pedido.",
  "no-answer": () => "O provedor de pagamento não respondeu a este pedido.",
  nonsense: () => "O provedor de pagamento respondeu a este pedido de um jeito que não dá para usar.",
};

/** To the seller: an order could not be paid. */
export function renderFailedPaymentMail(
  sale: MailedSale,
  { why: failure, detail, provider }: MailData["failed-payment"],
): WrittenMail {
  const name = capitalizedNameOf(provider);
  const reason = REASONS[failure](detail, name);
  const isCancelled = failure === "cancelled";
  return renderSellerMail(sale, {
    subject: `Pagamento não concluído: ${formatMoney(sale.amountCents)}`,
    title: titleOf(failure, name),
    preview: reason,
    paragraphs: [escapeHtml(reason)],
    advice: isCancelled
      ? "Se isso acontecer com mais pedidos, escrevemos no máximo uma vez por hora."
      : "Confira a conexão: se mais pedidos falharem pelo mesmo motivo, escrevemos no máximo uma vez por hora.",
    button: isCancelled
      ? { label: "Abrir a venda", page: paths.sale(sale.id) }
      : { label: "Conferir a conexão", page: paths.settings("gateways") },
    reason:
      "Você recebe este aviso porque as notificações de pagamentos não concluídos estão ligadas em Configurações.",
  });
}

function titleOf(failure: MailData["failed-payment"]["why"], name: string): string {
  if (failure === "credentials") return `${name} recusou a sua chave`;
  return failure === "cancelled" ? "Um pagamento foi cancelado" : "O PIX não foi gerado";
}
