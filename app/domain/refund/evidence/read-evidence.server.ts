import { and, asc, eq, inArray, isNotNull, not, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { contentItems, downloads } from "#app/db/schema/files.server.ts";
import { ACCESS_EVENTS } from "#app/db/schema/lists.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { kindsOf } from "#app/domain/delivery/destinations.server.ts";
import { BUYER_MAIL_KINDS, type BuyerMailKind } from "#app/domain/mail/queue/mail-readers.ts";
import { isUnsentAfterAll } from "#app/domain/mail/sending/unsent-after-all.server.ts";
import { maskSealedDocument } from "#app/domain/sale/mask-sealed-document.server.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** How many mails, downloads and accesses are shown: the first ones, which prove the delivery. */
const MAX_ROWS = 100;

/** What is recorded of a sale and its delivery. Money in cents; `document` without punctuation. */
export type Evidence = Awaited<ReturnType<typeof readEvidence>>;

/** Reads it. @throws Refusal not-found, also for another seller's sale and one that was not paid */
export async function readEvidence(sellerId: string, saleId: string) {
  const [sale] = isUuid(saleId) ? await findSale(sellerId, saleId) : [];
  if (!sale) throw notFound("Venda não encontrada");
  const [lines, sentMails, openedFiles, memberAccess] = await Promise.all([
    db
      .select({
        name: saleLines.name,
        priceCents: saleLines.priceCents,
        discountCents: saleLines.discountCents,
        methodDiscountCents: saleLines.methodDiscountCents,
      })
      .from(saleLines)
      .where(ownOfSale(saleLines, sellerId, saleId))
      .orderBy(asc(saleLines.position)),
    findMails(sellerId, saleId),
    findDownloads(sellerId, saleId),
    findMemberAccess(sellerId, saleId),
  ]);
  const { documentSealed, ...facts } = sale;
  const isReadable = documentSealed !== null && maskSealedDocument(documentSealed) !== null;
  const document = isReadable ? unseal(documentSealed) : null;
  return { ...facts, document, lines, mails: sentMails, downloads: openedFiles, memberAccess };
}

function findSale(sellerId: string, saleId: string) {
  return db
    .select({
      id: sales.id,
      sellerName: sellerNameSql,
      store: storeColumn,
      orderedAt: sales.createdAt,
      amountCents: sales.amountCents,
      refundedCents: sales.refundedCents,
      status: sales.status,
      couponCode: sales.couponCode,
      guaranteeDays: sales.guaranteeDays,
      customerName: sales.customerName,
      customerEmail: sales.customerEmail,
      emailCorrectedAt: sales.emailCorrectedAt,
      customerPhone: sales.customerPhone,
      documentSealed: sales.customerDocumentSealed,
      customerIp: sales.customerIp,
      device: sales.device,
      paidAt: charges.paidAt,
      provider: charges.provider,
      providerId: charges.providerId,
      instalments: charges.instalments,
      buyerCents: charges.buyerCents,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .innerJoin(charges, and(ownOfSale(charges, sellerId, sales.id), eq(charges.status, "paid")))
    .where(ownById(sales, sellerId, saleId))
    .orderBy(sql`${charges.overpaidAt} is not null`)
    .limit(1);
}

/** Mails to the buyer that were sent. */
function findMails(sellerId: string, saleId: string) {
  return db
    .select({
      kind: sql<BuyerMailKind>`${mails.kind}`,
      recipient: mails.recipient,
      sentAt: sql`${mails.sentAt}`.mapWith(mails.createdAt),
      deliveredAt: mails.deliveredAt,
      bouncedAt: mails.bouncedAt,
    })
    .from(mails)
    .where(
      and(
        ownOfSale(mails, sellerId, saleId),
        ...[isNotNull(mails.sentAt), not(isUnsentAfterAll)],
        inArray(mails.kind, BUYER_MAIL_KINDS),
      ),
    )
    .orderBy(asc(mails.sentAt))
    .limit(MAX_ROWS);
}

function findDownloads(sellerId: string, saleId: string) {
  return db
    .select({
      at: downloads.at,
      // The item may have been removed since.
      name: sql<string>`coalesce((select i.name from ${contentItems} i where i.id = ${downloads.itemId}), ${saleLines.name})`,
    })
    .from(downloads)
    .innerJoin(saleLines, eq(saleLines.id, downloads.lineId))
    .where(ownOfSale(downloads, sellerId, saleId))
    .orderBy(asc(downloads.at))
    .limit(MAX_ROWS);
}

/** Each time a member area accepted to open or close what was bought, whatever became of a delivery that was sent again. */
function findMemberAccess(sellerId: string, saleId: string) {
  const areas = kindsOf("members").map(({ id }) => id);
  const at = sql`(attempt ->> 'at')::timestamptz`.mapWith(deliveries.createdAt);
  return db
    .select({ at, name: destinations.name, event: deliveries.event })
    .from(deliveries)
    .innerJoin(destinations, eq(destinations.id, deliveries.destinationId))
    .innerJoin(
      sql`jsonb_array_elements(${deliveries.attemptLog}) attempt`,
      sql`attempt ->> 'result' = 'taken'`,
    )
    .where(
      and(
        ownOfSale(deliveries, sellerId, saleId),
        inArray(destinations.kind, areas),
        inArray(deliveries.event, ACCESS_EVENTS),
        sql`not ${isOfFormerEmail}`,
      ),
    )
    .orderBy(asc(at))
    .limit(MAX_ROWS);
}

/**
 * Whether a delivery closes an e-mail that was corrected: it is queued with the opening for the right one and after it, about
 * the same. What ends an access is about the sale, or before whatever gives it back.
 */
const isOfFormerEmail = sql`(${deliveries.event} = 'access.revoked' and ${deliveries.aboutId} <> ${deliveries.saleId}
  and exists (select from ${deliveries} o where o.seller_id = ${deliveries.sellerId} and o.destination_id = ${deliveries.destinationId}
    and o.about_id = ${deliveries.aboutId} and o.event = 'access.granted' and o.sequence < ${deliveries.sequence}))`;
