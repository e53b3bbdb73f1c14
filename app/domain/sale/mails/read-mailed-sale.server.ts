import { eq, sql } from "drizzle-orm";
import { batch } from "#app/db/batcher.server.ts";
import { db } from "#app/db/client.server.ts";
import { anyOf, hasPendingRefund, isSalePaymentSql, ofSale, ownById } from "#app/db/conditions.server.ts";
import { refundRequests } from "#app/db/schema/buyers.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { emailDomains, emailTemplates, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { checkoutCustomizations } from "#app/db/schema/storefront.server.ts";
import { isBoughtSql, lineContentIdSql } from "#app/domain/content/line-content.server.ts";
import type { SenderConfig } from "#app/domain/mail/sending/choose-sender.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import { shopColorsSql } from "#app/domain/mail/template/find-brand.server.ts";
import type { UnpaidLine } from "#app/domain/pricing/quote.ts";
import { rejectedDisputesOf } from "#app/domain/sale/dispute/rejected-disputes.server.ts";
import { exceededLimitSql } from "#app/domain/sale/exceeded-limit.server.ts";
import type { ExceededLimit } from "#app/domain/sale/exceeded-limit.ts";
import { maskSealedDocument } from "#app/domain/sale/mask-sealed-document.server.ts";
import { soldLineFields } from "#app/domain/sale/sold-line.server.ts";
import { transactionIdSql } from "#app/domain/sale/transaction-id.server.ts";
import { buttonColors } from "#app/domain/storefront/build-palette.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import type { RejectedDispute } from "#app/domain/storefront/guarantee-end.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import { nameForMail } from "#app/kit/name-for-mail.ts";

/** A sale with all data that mails about it need. Money in cents. */
export type MailedSale = {
  id: string;
  sellerId: string;
  parentSaleId: string | null;
  amountCents: number;
  /** The provider's id of the payment; null where nothing was to be paid. */
  transactionId: string | null;
  /** Safe to show in a mail: empty where the typed name contains an address. */
  customerName: string;
  /** Null where the buyer gave none. */
  customerEmail: string | null;
  /** The recipient of this mail. */
  recipient: string;
  /** E.164. */
  customerPhone: string | null;
  documentMask: string | null;
  createdAt: Date;
  completedAt: Date | null;
  /** The guarantee it was ordered with; null where its buyer has nothing to withdraw from, or is getting it back already. */
  guaranteeDays: number | null;
  rejectedDisputes: RejectedDispute[];
  sellerName: string;
  sellerEmail: string;
  /** When the seller closed the account; null while it is open. */
  shopClosedAt: Date | null;
  brandName: string;
  /** The colours of the button to the purchase: the shop's. */
  button: ReturnType<typeof buttonColors>;
  description: string;
  /** `contains`: the names of the files, links and texts of a line. */
  lines: (UnpaidLine & { contains: string[] })[];
  /** The coupon that lowered the lines' prices. */
  couponCode: string | null;
  /** The limit that its late payment exceeded. */
  exceeded: ExceededLimit | null;
  template: Template;
  /** When the seller saved it; null for our default. */
  templateSavedAt: Date | null;
  sender: SenderConfig;
  /** The seller's business data for the footer of buyers' mails; null where not given. */
  store: Store | null;
  /** An earlier purchase of the product that an unpaid order is for, by the same e-mail, to which there is access now. */
  owned: OwnedPurchase | null;
};

/** An earlier purchase. */
export type OwnedPurchase = { saleId: string; completedAt: Date };

/** One sale for a mail to `recipient`; null where there is none. Mails rendered at the same time share a statement. */
export async function readMailedSale(saleId: string, recipient: string): Promise<MailedSale | null> {
  const sale = await readSale(saleId);
  return sale && { ...sale, recipient };
}

const readSale = batch<string, Omit<MailedSale, "recipient"> | null>(50, async (ids) => {
  const rows = await selectSales(ids);
  const found = new Map(rows.map((row) => [row.id, toMailedSale(row)]));
  return ids.map((id) => found.get(id) ?? null);
});

function selectSales(ids: string[]) {
  return db
    .select({
      id: sales.id,
      sellerId: sales.sellerId,
      parentSaleId: sales.parentSaleId,
      amountCents: sales.amountCents,
      transactionId: transactionIdSql,
      couponCode: sales.couponCode,
      exceeded: exceededLimitSql,
      customerName: sales.customerName,
      customerEmail: sales.customerEmail,
      customerPhone: sales.customerPhone,
      documentSealed: sales.customerDocumentSealed,
      createdAt: sales.createdAt,
      completedAt: sales.completedAt,
      canWithdraw: sql<boolean>`${sales.status} = 'completed' and ${sales.amountCents} > 0
        and not exists (select 1 from ${refundRequests} where ${ofSale(refundRequests)})
        and not exists (select from ${charges} where ${ofSale(charges)} and ${isSalePaymentSql} and ${hasPendingRefund(sql`${charges}`)})`,
      guaranteeDays: sales.guaranteeDays,
      rejectedDisputes: rejectedDisputesOf(sql`${sales}`),
      guaranteeSetting: sql<unknown>`${checkoutCustomizations.settings}->'guarantee_days'`,
      sellerName: sellerNameSql,
      sellerEmail: sellers.email,
      shopClosedAt: sellers.closedAt,
      store: storeColumn,
      brandName: sql<string | null>`nullif(${checkoutCustomizations.settings}->>'brand_name', '')`,
      colors: shopColorsSql,
      description: sql<
        string | null
      >`case when ${sales.parentSaleId} is null then ${products.description} else (
        select ${upsells.description} from ${upsells}
        inner join ${saleLines} on ${saleLines.upsellId} = ${upsells.id}
        where ${ofSale(saleLines)} limit 1) end`,
      lines: sql<MailedSale["lines"]>`(
        select json_agg(json_build_object(${soldLineFields}, 'contains', (
          select coalesce(json_agg(${contentItems.name} order by ${contentItems.position}), '[]') from ${saleLines}
          join ${contentItems} on ${contentItems.contentId} = ${lineContentIdSql}
          where ${ownById(saleLines, sql`l.seller_id`, sql`l.id`)} and ${isBoughtSql(contentItems.id)})) order by l.position)
        from ${saleLines} l where l.seller_id = ${sales.sellerId} and l.sale_id = ${sales.id})`,
      template: {
        senderName: emailTemplates.senderName,
        senderEmail: emailTemplates.senderEmail,
        subject: emailTemplates.subject,
        htmlContent: emailTemplates.htmlContent,
        simple: emailTemplates.simple,
      },
      templateSavedAt: emailTemplates.updatedAt,
      hasKey: sql<boolean>`${mailSettings.resendKeySealed} is not null`,
      verifiedDomain: sql<
        string | null
      >`case when ${emailDomains.verifiedAt} is not null then ${emailDomains.domainName} end`,
      owned: sql<{ [K in keyof OwnedPurchase]: string } | null>`
        case when ${sales.completedAt} is null and ${sales.parentSaleId} is null then (
          select json_build_object('saleId', o.id, 'completedAt', o.completed_at)
          from ${sales} o where o.seller_id = ${sales.sellerId} and o.customer_email = ${sales.customerEmail} and o.product_id = ${sales.productId}
            and (o.status = 'completed' or o.status = 'disputed' and o.access_suspended_at is null) and o.parent_sale_id is null
          order by o.completed_at desc limit 1) end`,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .innerJoin(products, eq(products.id, sales.productId))
    .leftJoin(checkoutCustomizations, eq(checkoutCustomizations.sellerId, sales.sellerId))
    .leftJoin(emailTemplates, eq(emailTemplates.sellerId, sales.sellerId))
    .leftJoin(mailSettings, eq(mailSettings.sellerId, sales.sellerId))
    .leftJoin(emailDomains, eq(emailDomains.sellerId, sales.sellerId))
    .where(anyOf(sales.id, ids));
}

type Row = Awaited<ReturnType<typeof selectSales>>[number];

function toMailedSale(row: Row): Omit<MailedSale, "recipient"> {
  const { hasKey, verifiedDomain, documentSealed, colors, canWithdraw, guaranteeSetting, ...sale } = row;
  const template = row.template ?? DEFAULT_TEMPLATE;
  return {
    ...sale,
    documentMask: maskSealedDocument(documentSealed),
    guaranteeDays: canWithdraw
      ? (sale.guaranteeDays ?? mergeCheckoutSettings({ guarantee_days: guaranteeSetting }).guarantee_days)
      : null,
    customerName: nameForMail(sale.customerName ?? ""),
    lines: sale.lines ?? [],
    brandName: sale.brandName ?? sale.sellerName,
    button: buttonColors(colors),
    description: sale.description ?? "",
    template,
    sender: { hasKey, verifiedDomain, senderEmail: template.senderEmail, contactEmail: sale.sellerEmail },
    owned: sale.owned && {
      saleId: sale.owned.saleId,
      completedAt: new Date(sale.owned.completedAt),
    },
  };
}
