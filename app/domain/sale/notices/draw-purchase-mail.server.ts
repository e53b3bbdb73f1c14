import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { renderTemplate } from "#app/domain/mail/template/render-template.server.ts";
import { closedShopWords } from "#app/domain/sale/closed-shop.ts";
import { mailValues, senderOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";

/** To the buyer: what was bought and the way to it, as the seller's template says it. */
export function drawPurchaseMail(sale: MailedSale, { paidAt }: { paidAt: string }): WrittenMail {
  const values = mailValues(sale, new Date(paidAt));
  const { subject, html, text } = renderTemplate(
    sale.template,
    values,
    linesTable(
      sale.lines.map(({ contains, ...line }) => ({ ...line, files: contains })),
      sale.amountCents,
    ),
    sale.shopClosedAt && closedShopWords(sale.shopClosedAt, new Date()),
  );
  return { subject, html, text, ...senderOf(sale, values) };
}
