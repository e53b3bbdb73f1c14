import { eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { contentItems, contents } from "#app/db/schema/files.server.ts";
import { emailDomains, emailTemplates, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import type { SenderConfig } from "#app/domain/mail/outbox/choose-sender.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import { maskedDocument } from "#app/domain/sale/masked-document.server.ts";
import { nameForMail } from "#app/kit/name-for-mail.ts";

/** A sale as mails tell of it, with how its seller's mails look and leave. Money in cents. */
export type MailedSale = {
  id: string;
  sellerId: string;
  parentSaleId: string | null;
  amountCents: number;
  /** As a mail may show it: empty where what was typed holds an address. */
  customerName: string;
  /** Null where the buyer gave none. */
  customerEmail: string | null;
  /** To whom this mail goes; null where it is read for none. */
  recipient: string | null;
  emailCorrectedAt: Date | null;
  /** E.164. */
  customerPhone: string | null;
  documentMask: string | null;
  createdAt: Date;
  completedAt: Date | null;
  sellerName: string;
  sellerEmail: string;
  brandName: string;
  description: string;
  /** `contains`: the names of the files, links and texts of a line. */
  lines: { name: string; priceCents: number; contains: string[] }[];
  template: Template;
  /** When the seller wrote it; null for ours. */
  templateSavedAt: Date | null;
  sender: SenderConfig;
};

/** One sale, by whatever names it, for a mail to `recipient`; null where there is none. */
export async function readMailedSale(
  tx: Db,
  which: SQL | undefined,
  recipient: string | null = null,
): Promise<MailedSale | null> {
  const [row] = await tx
    .select({
      id: sales.id,
      sellerId: sales.sellerId,
      parentSaleId: sales.parentSaleId,
      amountCents: sales.amountCents,
      customerName: sales.customerName,
      customerEmail: sales.customerEmail,
      emailCorrectedAt: sales.emailCorrectedAt,
      customerPhone: sales.customerPhone,
      documentSealed: sales.customerDocumentSealed,
      createdAt: sales.createdAt,
      completedAt: sales.completedAt,
      sellerName: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      sellerEmail: sellers.email,
      brandName: sql<string | null>`nullif(${checkoutCustomizations.settings}->>'brand_name', '')`,
      description: sql<
        string | null
      >`case when ${sales.parentSaleId} is null then ${products.description} else (
        select ${upsellOffers.description} from ${upsellOffers}
        inner join ${saleLines} on ${saleLines.upsellOfferId} = ${upsellOffers.id}
        where ${saleLines.saleId} = ${sales.id} limit 1) end`,
      lines: sql<MailedSale["lines"]>`(
        select json_agg(json_build_object('name', l.name, 'priceCents', l.price_cents, 'contains', (
          select coalesce(json_agg(i.name order by i.position), '[]') from ${contentItems} i
          join ${contents} c on c.id = i.content_id
          where c.product_id = l.product_id or c.order_bump_id = l.order_bump_id
            or c.upsell_offer_id = l.upsell_offer_id)) order by l.position)
        from ${saleLines} l where l.sale_id = ${sales.id})`,
      template: {
        senderName: emailTemplates.senderName,
        senderEmail: emailTemplates.senderEmail,
        subject: emailTemplates.subject,
        htmlContent: emailTemplates.htmlContent,
      },
      templateSavedAt: emailTemplates.updatedAt,
      hasKey: sql<boolean>`${mailSettings.resendKeySealed} is not null`,
      verifiedDomain: sql<
        string | null
      >`case when ${emailDomains.verifiedAt} is not null then ${emailDomains.domainName} end`,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .innerJoin(products, eq(products.id, sales.productId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .leftJoin(emailTemplates, eq(emailTemplates.sellerId, sales.sellerId))
    .leftJoin(mailSettings, eq(mailSettings.sellerId, sales.sellerId))
    .leftJoin(emailDomains, eq(emailDomains.sellerId, sales.sellerId))
    .where(which);
  if (!row) return null;
  const { hasKey, verifiedDomain, documentSealed, ...sale } = row;
  const template = row.template ?? DEFAULT_TEMPLATE;
  return {
    ...sale,
    recipient,
    documentMask: maskedDocument(documentSealed),
    customerName: nameForMail(sale.customerName ?? ""),
    lines: sale.lines ?? [],
    brandName: sale.brandName ?? sale.sellerName,
    description: sale.description ?? "",
    template,
    sender: { hasKey, verifiedDomain, senderEmail: template.senderEmail, contactEmail: sale.sellerEmail },
  };
}
