import type { WrittenMail } from "#app/domain/mail/freeze-mail.server.ts";
import { linesTable } from "#app/domain/mail/lines-table.server.ts";
import { renderTemplate } from "#app/domain/mail/render-template.server.ts";
import { mailValues, senderOf } from "#app/domain/sales/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";

/** To the buyer: what was bought and the way to it, as the seller's template says it. */
export function drawPurchaseMail(sale: MailedSale, { paidAt }: { paidAt: string }): WrittenMail {
  const values = mailValues(sale, new Date(paidAt));
  const { subject, html, text } = renderTemplate(
    sale.template,
    values,
    linesTable(sale.lines, sale.amountCents),
  );
  return { subject, html, text, ...senderOf(sale, values) };
}
