import { and, desc } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { isPurchaseMailSql } from "#app/domain/reports/figures/purchase-mails.server.ts";
import { mailLogColumns } from "#app/domain/reports/mail-log-columns.server.ts";

export type LoggedSaleMail = Awaited<ReturnType<typeof listSaleMails>>[number];

/** The mails of one sale to its buyer, newest first. */
export function listSaleMails(sellerId: string, saleId: string) {
  return db
    .select(mailLogColumns)
    .from(mails)
    .where(and(ownOfSale(mails, sellerId, saleId), isPurchaseMailSql))
    .orderBy(desc(mails.createdAt), desc(mails.id));
}
