import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { forFreeOrder } from "#app/domain/mail/template/default-template.server.ts";
import { renderTemplate } from "#app/domain/mail/template/render-template.server.ts";
import { closedShopWords } from "#app/domain/sale/closed-shop.ts";
import {
  buildMailValues,
  chooseSaleSender,
  renderSaleLines,
} from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { withFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { withdrawalText } from "#app/domain/storefront/withdrawal-text.ts";

/** To the buyer: the purchase and a link to it, by the seller's template, and until when to withdraw. `isByPlatform`: not sent by the seller's own account. */
export function renderPurchaseMail(
  sale: MailedSale,
  { paidAt, isByPlatform }: { paidAt: string; isByPlatform?: boolean },
): WrittenMail {
  const values = buildMailValues(sale, new Date(paidAt));
  const { subject, html, text } = renderTemplate(
    sale.amountCents === 0 ? forFreeOrder(sale.template) : sale.template,
    values,
    renderSaleLines(sale, { hasFiles: true }),
    sale.shopClosedAt && closedShopWords(sale.shopClosedAt, new Date()),
  );
  const sender = isByPlatform ? { ...sale.sender, hasKey: false } : sale.sender;
  const { completedAt, guaranteeDays, rejectedDisputes } = sale;
  const withdrawal =
    completedAt && guaranteeDays !== null && withdrawalText(completedAt, guaranteeDays, rejectedDisputes);
  return {
    ...withFooter({ subject, html, text }, withdrawal || null),
    ...chooseSaleSender({ ...sale, sender }, values),
  };
}
