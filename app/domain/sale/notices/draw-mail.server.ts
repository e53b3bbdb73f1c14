import type { DrawnKind, MailFacts } from "#app/db/schema/mails.server.ts";
import type { Draw, DrawnMail, WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { drawDisputeAccessMail, drawDisputeMail } from "#app/domain/sale/dispute/draw-dispute-mail.server.ts";
import { drawFailedPaymentMail } from "#app/domain/sale/notices/draw-failed-payment-mail.server.ts";
import { drawNewSaleMail } from "#app/domain/sale/notices/draw-new-sale-mail.server.ts";
import { drawPixMail } from "#app/domain/sale/notices/draw-pix-mail.server.ts";
import { drawPurchaseMail } from "#app/domain/sale/notices/draw-purchase-mail.server.ts";
import { drawRefundMail } from "#app/domain/sale/notices/draw-refund-mail.server.ts";
import { drawReminderMail } from "#app/domain/sale/notices/draw-reminder-mail.server.ts";
import { drawSurplusMail } from "#app/domain/sale/notices/draw-surplus-mail.server.ts";
import { drawUnconfirmedRefundMail } from "#app/domain/sale/notices/draw-unconfirmed-refund-mail.server.ts";
import { drawWrongAmountMail } from "#app/domain/sale/notices/draw-wrong-amount-mail.server.ts";
import { drawPaymentNewsMail } from "#app/domain/sale/notices/payment-news/draw-payment-news-mail.server.ts";
import { type MailedSale, readMailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { tellTemplateFailed } from "#app/domain/sale/notices/tell-template-failed.server.ts";
import { withStoreFoot } from "#app/domain/storefront/store/store-mail-foot.server.ts";
import { log } from "#app/platform/log.server.ts";

/** How each mail about a sale is drawn. */
export const drawers: { [K in DrawnKind]: (sale: MailedSale, facts: MailFacts[K]) => WrittenMail } = {
  purchase: drawPurchaseMail,
  upsell: drawPurchaseMail,
  access: drawPurchaseMail,
  "new-sale": drawNewSaleMail,
  pix: drawPixMail,
  reminder: drawReminderMail,
  refund: drawRefundMail,
  "payment-news": drawPaymentNewsMail,
  surplus: drawSurplusMail,
  "wrong-amount": drawWrongAmountMail,
  "failed-payment": drawFailedPaymentMail,
  "unconfirmed-refund": drawUnconfirmedRefundMail,
  dispute: drawDisputeMail,
  "dispute-access": drawDisputeAccessMail,
};

/** Those that go to the seller; all others end with who sells. */
const TO_SELLER: DrawnKind[] = [
  "new-sale",
  "surplus",
  "wrong-amount",
  "failed-payment",
  "unconfirmed-refund",
];

/**
 * Draws a mail from its sale as it is now. With our template where the seller's makes none; the seller is told, once for
 * each version of it.
 * @throws Error where ours makes none either: a bug
 */
export const drawMail: Draw = async ({ kind, saleId, recipient, facts }) => {
  const sale = await readMailedSale(saleId, recipient);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  const drawn = withOurs(sale, drawers[kind] as (sale: MailedSale, facts: object) => WrittenMail, facts);
  if (drawn.templateFailed) await tellTemplateFailed(sale);
  return TO_SELLER.includes(kind) ? drawn : { ...drawn, mail: withStoreFoot(drawn.mail, sale.store) };
};

function withOurs<F>(
  sale: MailedSale,
  draw: (sale: MailedSale, facts: F) => WrittenMail,
  facts: F,
): DrawnMail {
  try {
    return { mail: draw(sale, facts), templateFailed: false };
  } catch (error) {
    if (sale.template === DEFAULT_TEMPLATE) throw error;
    log.warn(
      { err: error, saleId: sale.id, sellerId: sale.sellerId },
      "a seller's mail template makes no mail",
    );
    return { mail: draw({ ...sale, template: DEFAULT_TEMPLATE }, facts), templateFailed: true };
  }
}
