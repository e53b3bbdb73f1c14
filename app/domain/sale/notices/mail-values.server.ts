import { type ChosenSender, chooseSender } from "#app/domain/mail/outbox/choose-sender.ts";
import { fillSender, type Values } from "#app/domain/mail/template/placeholders.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { purchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { formatPhone, whatsAppLink } from "#app/kit/phone.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";

/** What the placeholders of a template become. The way to the files is our page; their own addresses are never mailed. */
export function mailValues(sale: MailedSale, at: Date): Values {
  return {
    customer_name: sale.customerName || "cliente",
    customer_email: sale.customerEmail ?? "",
    product_name: sale.lines[0]?.name ?? "sua compra",
    product_description: sale.description,
    product_file_url: purchaseUrl(sale, sale.recipient),
    amount_formatted: formatMoney(sale.amountCents),
    transaction_id: sale.id,
    purchase_number: shortNumber(sale.id),
    purchase_date: formatDateTime(at),
    current_year: formatDateTime(at).slice(6, 10),
    brand_name: sale.brandName,
    ...sale.button,
  };
}

/** Under whose name, from which address and by which account a mail to this sale's buyer leaves. */
export function senderOf(sale: MailedSale, values: Values): ChosenSender {
  return chooseSender(sale.sender, fillSender(sale.template.senderName, values), env.MAIL_FROM);
}

/** To a seller: whose sale it is, and how to reach them, as HTML; empty where nothing is known. */
export function buyerOf(sale: MailedSale): string {
  const { customerName, customerEmail, customerPhone, documentMask } = sale;
  const known = [customerName, customerEmail ?? ""].filter(Boolean).map(escapeHtml);
  if (customerPhone)
    known.push(
      `WhatsApp <a href="${whatsAppLink(customerPhone)}">${escapeHtml(formatPhone(customerPhone))}</a>`,
    );
  if (documentMask) known.push(`CPF/CNPJ ${escapeHtml(documentMask)}`);
  return known.join(", ");
}
