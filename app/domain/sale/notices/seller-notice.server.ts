import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { buyerOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { env } from "#app/platform/env.server.ts";

/** What a notice to a seller says of one of their sales. Paragraphs are HTML; `page` is a path of ours. */
type Notice = {
  /** The subject, which the product's name follows. */
  subject: string;
  title: string;
  preview: string;
  paragraphs: string[];
  /** Said below the buyer's name. */
  advice?: string;
  button: { label: string; page: string };
  /** Why the seller gets it. */
  why: string;
};

/** A notice to a seller about a sale: what happened, what was ordered and by whom, and where to go. */
export function sellerNotice(sale: MailedSale, notice: Notice): WrittenMail {
  const buyer = buyerOf(sale);
  return {
    subject: `${notice.subject} (${sale.lines[0]?.name ?? ""})`,
    html: mailLayout({
      title: notice.title,
      preview: notice.preview,
      bodyHtml: [
        ...notice.paragraphs.map(paragraph),
        linesTable(sale.lines, sale.amountCents),
        buyer ? paragraph(`Comprador: ${buyer}`) : "",
        ...(notice.advice ? [paragraph(notice.advice)] : []),
        mailButton(notice.button.label, env.APP_URL + notice.button.page),
      ].join("\n"),
      footerHtml: notice.why,
    }),
  };
}
