import { renderLinesTable } from "#app/domain/mail/message/render-lines-table.server.ts";
import { type ChosenSender, chooseSender } from "#app/domain/mail/sending/choose-sender.ts";
import { fillSender, type PlaceholderValues } from "#app/domain/mail/template/placeholders.ts";
import { itemize } from "#app/domain/pricing/quote.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { buildPurchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { formatPhone, whatsAppLink } from "#app/kit/phone.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * The values of a template's placeholders. Files are linked by our purchase page; their own addresses are never
 * mailed.
 */
export function buildMailValues(sale: MailedSale, at: Date): PlaceholderValues {
  return {
    customer_name: sale.customerName || "cliente",
    customer_email: sale.customerEmail ?? "",
    product_name: sale.lines[0]?.name ?? "sua compra",
    product_description: sale.description,
    product_file_url: buildPurchaseUrl(sale, sale.recipient),
    amount_formatted: formatMoney(sale.amountCents),
    transaction_id: sale.transactionId ?? "–",
    purchase_number: shortNumber(sale.id),
    purchase_date: formatDateTime(at),
    current_year: formatDateTime(at).slice(6, 10),
    brand_name: sale.brandName,
    ...sale.button,
  };
}

/** The sender name, address and account of a mail to this sale's buyer. */
export function chooseSaleSender(sale: MailedSale, values: PlaceholderValues): ChosenSender {
  return chooseSender(sale.sender, fillSender(sale.template.senderName, values), env.MAIL_FROM);
}

/** What was sold, with the coupon's discount and the total. `hasFiles`: with the names of what each line contains. */
export function renderSaleLines(sale: MailedSale, { hasFiles = false } = {}): string {
  const rows = itemize(sale).map(({ name, amount, line }) => ({
    name,
    amount,
    files: hasFiles ? (line?.contains ?? []) : [],
  }));
  return renderLinesTable(rows, formatMoney(sale.amountCents));
}

/** For the seller: the buyer and how to reach them, as HTML; empty where nothing is known. */
export function renderBuyer(sale: MailedSale): string {
  const { customerName, customerEmail, customerPhone, documentMask } = sale;
  const known = [customerName, customerEmail ?? ""].filter(Boolean).map(escapeHtml);
  if (customerPhone)
    known.push(
      `WhatsApp <a href="${whatsAppLink(customerPhone)}">${escapeHtml(formatPhone(customerPhone))}</a>`,
    );
  if (documentMask) known.push(`CPF/CNPJ ${escapeHtml(documentMask)}`);
  return known.join(", ");
}
