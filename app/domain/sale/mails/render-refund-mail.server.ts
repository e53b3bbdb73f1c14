import type { MailData } from "#app/db/schema/mail-data.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { PlaceholderValues } from "#app/domain/mail/template/placeholders.ts";
import {
  buildMailValues,
  chooseSaleSender,
  renderSaleLines,
} from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { shortNumber } from "#app/kit/uuid.ts";

/**
 * To the buyer: their purchase was refunded. After parts, which had mails of their own, it names what went back now. Of a free
 * purchase nothing did: its access ended.
 */
export function renderRefundMail(sale: MailedSale, refund: MailData["refund"]): WrittenMail {
  const values = buildMailValues(sale, sale.completedAt ?? sale.createdAt);
  const { subject, title, preview, lead, notes } =
    sale.amountCents === 0 ? describeEndedAccess(sale, values) : describeRefund(sale, values, refund);
  return {
    ...chooseSaleSender(sale, values),
    subject,
    html: renderMailLayout({
      title,
      preview,
      bodyHtml: [
        renderParagraph(`${greeting(sale.customerName)} ${lead}`),
        renderSaleLines(sale),
        ...notes.map((note) => renderParagraph(note)),
      ].join("\n"),
      footerHtml: `Compra de ${values.purchase_date} com ${escapeHtml(sale.brandName)}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}

/** The words of the mail; `lead` and `notes`, before and after the lines of the sale, are HTML. */
type RefundText = { subject: string; title: string; preview: string; lead: string; notes: string[] };

function describeRefund(
  sale: MailedSale,
  values: PlaceholderValues,
  { isRecorded = false, restCents }: MailData["refund"],
): RefundText {
  const product = escapeHtml(values.product_name);
  const brand = escapeHtml(sale.brandName);
  const returned = restCents === undefined ? values.amount_formatted : formatMoney(restCents);
  const amount = `<strong>${returned}</strong>`;
  const whole = `: com isso, voltou todo o valor, de ${values.amount_formatted}`;
  const lead =
    restCents === undefined
      ? isRecorded
        ? `${brand} informou que devolveu a você o valor de ${amount} da sua compra de ${product}.`
        : `O valor de ${amount} da sua compra de ${product} foi devolvido a quem pagou.`
      : isRecorded
        ? `${brand} informou que devolveu a você os ${amount} que restavam da sua compra de ${product}${whole}.`
        : `Os ${amount} que restavam da sua compra de ${product} foram devolvidos a quem pagou${whole}.`;
  return {
    subject: `Seu reembolso de ${values.product_name}`,
    title: isRecorded ? "Reembolso informado" : "Reembolso feito",
    preview: isRecorded
      ? `${sale.brandName} informou que devolveu ${returned}.`
      : `${returned} voltaram para você.`,
    lead,
    notes: [
      "Com o reembolso, o acesso ao conteúdo foi encerrado.",
      "Não reconhece este reembolso ou ficou com dúvida? Responda a este e-mail.",
    ],
  };
}

function describeEndedAccess(sale: MailedSale, values: PlaceholderValues): RefundText {
  return {
    subject: `Seu acesso a ${values.product_name} foi encerrado`,
    title: "Acesso encerrado",
    preview: `${sale.brandName} encerrou o acesso à sua compra.`,
    lead: `${escapeHtml(sale.brandName)} encerrou o seu acesso a ${escapeHtml(values.product_name)}. A compra foi de graça: não há valor a devolver.`,
    notes: ["Ficou com dúvida? Responda a este e-mail."],
  };
}
