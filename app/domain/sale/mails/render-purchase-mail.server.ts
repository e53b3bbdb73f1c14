import { renderLinesTable } from "#app/domain/mail/message/render-lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { renderTemplate } from "#app/domain/mail/template/render-template.server.ts";
import { closedShopWords } from "#app/domain/sale/closed-shop.ts";
import { buildMailValues, chooseSaleSender } from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";

/** To the buyer: the purchase and a link to it, by the seller's template. */
export function renderPurchaseMail(sale: MailedSale, { paidAt }: { paidAt: string }): WrittenMail {
  const values = buildMailValues(sale, new Date(paidAt));
  const { subject, html, text } = renderTemplate(
    sale.template,
    values,
    renderLinesTable(
      sale.lines.map(({ contains, ...line }) => ({ ...line, files: contains })),
      sale.amountCents,
      sale.couponCode,
    ),
    sale.shopClosedAt && closedShopWords(sale.shopClosedAt, new Date()),
  );
  return { subject, html, text, ...chooseSaleSender(sale, values) };
}
