import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { renderBuyer, renderSaleLines } from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { env } from "#app/platform/env.server.ts";

/** The content of a mail to a seller about one of their sales. Paragraphs are HTML; `page` is a path of ours. */
type SellerMail = {
  /** Followed by the product's name. */
  subject: string;
  title: string;
  preview: string;
  paragraphs: string[];
  /** Shown below the buyer's name. */
  advice?: string;
  button: { label: string; page: string };
  /** Why the seller receives it. */
  reason: string;
};

/** A mail to a seller about a sale: what happened, what was ordered and by whom, and a button. */
export function renderSellerMail(sale: MailedSale, mail: SellerMail): WrittenMail {
  const buyer = renderBuyer(sale);
  return {
    subject: `${mail.subject} (${sale.lines[0]?.name ?? ""})`,
    html: renderMailLayout({
      title: mail.title,
      preview: mail.preview,
      bodyHtml: [
        ...mail.paragraphs.map(renderParagraph),
        renderSaleLines(sale),
        buyer ? renderParagraph(`Comprador: ${buyer}`) : "",
        ...(mail.advice ? [renderParagraph(mail.advice)] : []),
        renderMailButton(mail.button.label, env.APP_URL + mail.button.page),
      ].join("\n"),
      footerHtml: mail.reason,
    }),
  };
}
