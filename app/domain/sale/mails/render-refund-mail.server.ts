import type { MailData } from "#app/db/schema/mail-data.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import {
  buildMailValues,
  chooseSaleSender,
  renderSaleLines,
} from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { shortNumber } from "#app/kit/uuid.ts";

/** To the buyer: their purchase was refunded. After parts, which had mails of their own, it names what went back now. */
export function renderRefundMail(
  sale: MailedSale,
  { isRecorded = false, restCents }: MailData["refund"],
): WrittenMail {
  const values = buildMailValues(sale, sale.completedAt ?? sale.createdAt);
  const product = escapeHtml(values.product_name);
  const brand = escapeHtml(sale.brandName);
  if (sale.amountCents === 0) return renderEndedAccess(sale, values, brand, product);
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
    ...chooseSaleSender(sale, values),
    subject: `Seu reembolso de ${values.product_name}`,
    html: renderMailLayout({
      title: isRecorded ? "Reembolso informado" : "Reembolso feito",
      preview: isRecorded
        ? `${sale.brandName} informou que devolveu ${returned}.`
        : `${returned} voltaram para você.`,
      bodyHtml: [
        renderParagraph(`${greeting(sale.customerName)} ${lead}`),
        renderSaleLines(sale),
        renderParagraph("Com o reembolso, o acesso ao conteúdo foi encerrado."),
        renderParagraph("Não reconhece este reembolso ou ficou com dúvida? Responda a este e-mail."),
      ].join("\n"),
      footerHtml: `Compra de ${values.purchase_date} com ${escapeHtml(sale.brandName)}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}

/** Of a free purchase nothing went back. */
function renderEndedAccess(
  sale: MailedSale,
  values: ReturnType<typeof buildMailValues>,
  brand: string,
  product: string,
): WrittenMail {
  return {
    ...chooseSaleSender(sale, values),
    subject: `Seu acesso a ${values.product_name} foi encerrado`,
    html: renderMailLayout({
      title: "Acesso encerrado",
      preview: `${sale.brandName} encerrou o acesso à sua compra.`,
      bodyHtml: [
        renderParagraph(
          `${greeting(sale.customerName)} ${brand} encerrou o seu acesso a ${product}. A compra foi de graça: não há valor a devolver.`,
        ),
        renderSaleLines(sale),
        renderParagraph("Ficou com dúvida? Responda a este e-mail."),
      ].join("\n"),
      footerHtml: `Compra de ${values.purchase_date} com ${brand}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}
