import type { MailData, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import type {
  RenderedSaleMail,
  RenderSaleMail,
  WrittenMail,
} from "#app/domain/mail/queue/freeze-mail.server.ts";
import { MAIL_READER } from "#app/domain/mail/queue/mail-readers.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { priceByMethod } from "#app/domain/pricing/quote.ts";
import {
  renderDisputeAccessMail,
  renderDisputeMail,
} from "#app/domain/sale/dispute/render-dispute-mail.server.ts";
import { renderObservedRefundMail } from "#app/domain/sale/mails/payment/render-observed-refund-mail.server.ts";
import { renderPaymentMail } from "#app/domain/sale/mails/payment/render-payment-mail.server.ts";
import { queueTemplateFailedMail } from "#app/domain/sale/mails/queue-template-failed-mail.server.ts";
import { type MailedSale, readMailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderAmountMismatchMail } from "#app/domain/sale/mails/render-amount-mismatch-mail.server.ts";
import { renderFailedPaymentMail } from "#app/domain/sale/mails/render-failed-payment-mail.server.ts";
import { renderNewSaleMail } from "#app/domain/sale/mails/render-new-sale-mail.server.ts";
import { renderOverpaymentMail } from "#app/domain/sale/mails/render-overpayment-mail.server.ts";
import { renderPixMail } from "#app/domain/sale/mails/render-pix-mail.server.ts";
import { renderPurchaseMail } from "#app/domain/sale/mails/render-purchase-mail.server.ts";
import { renderRefundMail } from "#app/domain/sale/mails/render-refund-mail.server.ts";
import { renderReminderMail } from "#app/domain/sale/mails/render-reminder-mail.server.ts";
import {
  renderShopClosedMail,
  renderShopReopenedMail,
} from "#app/domain/sale/mails/render-shop-closed-mail.server.ts";
import { renderUnconfirmedRefundMail } from "#app/domain/sale/mails/render-unconfirmed-refund-mail.server.ts";
import { withStoreFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { log } from "#app/platform/log.server.ts";

/** The renderer of each mail about a sale. */
export const mailRenderers: {
  [K in RenderedMailKind]: (sale: MailedSale, data: MailData[K]) => WrittenMail;
} = {
  purchase: renderPurchaseMail,
  upsell: renderPurchaseMail,
  access: renderPurchaseMail,
  "new-sale": renderNewSaleMail,
  pix: renderPixMail,
  reminder: renderReminderMail,
  refund: renderRefundMail,
  "payment-news": renderPaymentMail,
  surplus: renderOverpaymentMail,
  "wrong-amount": renderAmountMismatchMail,
  "failed-payment": renderFailedPaymentMail,
  "unconfirmed-refund": renderUnconfirmedRefundMail,
  "observed-refund": renderObservedRefundMail,
  "shop-closed": renderShopClosedMail,
  "shop-reopened": renderShopReopenedMail,
  dispute: renderDisputeMail,
  "dispute-access": renderDisputeAccessMail,
};

/**
 * Mails about a charge that did not pay its order: they name the order at its price by PIX, or by card where the failed charge was
 * one, since it may have been sent the other way before or after.
 */
const UNPAID_MAIL_KINDS: RenderedMailKind[] = ["pix", "reminder", "wrong-amount", "failed-payment"];

/**
 * Renders a mail from its sale's current data. One to the buyer ends with the seller's business data. Falls back to our default
 * template where the seller's fails; the seller is notified, once for each version of it.
 * @throws Error where the default fails too: a bug
 */
export const renderMail: RenderSaleMail = async ({ kind, saleId, recipient, data }) => {
  const sale = await readMailedSale(saleId, recipient);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  const rendered = renderWithFallback(
    UNPAID_MAIL_KINDS.includes(kind) ? priceByMethod(sale, "isCard" in data ? "card" : "pix") : sale,
    mailRenderers[kind] as (sale: MailedSale, data: object) => WrittenMail,
    data,
  );
  if (rendered.templateFailed) await queueTemplateFailedMail(sale);
  return MAIL_READER[kind] === "seller"
    ? rendered
    : { ...rendered, mail: withStoreFooter(rendered.mail, sale.store) };
};

function renderWithFallback<Data>(
  sale: MailedSale,
  render: (sale: MailedSale, data: Data) => WrittenMail,
  data: Data,
): RenderedSaleMail {
  try {
    return { mail: render(sale, data), templateFailed: false };
  } catch (error) {
    if (sale.template === DEFAULT_TEMPLATE) throw error;
    log.warn(
      { err: error, saleId: sale.id, sellerId: sale.sellerId },
      "a seller's mail template could not be rendered",
    );
    return { mail: render({ ...sale, template: DEFAULT_TEMPLATE }, data), templateFailed: true };
  }
}
