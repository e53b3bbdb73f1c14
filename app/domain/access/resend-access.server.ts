import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, ne, type SQL } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { accessMail } from "#app/domain/access/access-mail.server.ts";
import { hasAccess, NO_ACCESS_REASONS } from "#app/domain/access/has-access.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A second click within this does not send another mail. */
const REPEAT_WINDOW = MINUTE;

/** Where a purchase is mailed again. `mail`: queued now, still waiting from a moment ago, or sent a moment ago. */
export type ResentAccess = { recipient: string; mail: "queued" | "waiting" | "sent" };

/**
 * Mails the purchase again, rendered anew, to the customer's current address.
 * @returns the recipient
 * @throws Refusal not-found for another seller's sale; conflict where there is nothing to give access to or no recipient
 */
export function resendAccess(sellerId: string, saleId: string): Promise<ResentAccess> {
  return queueAccessMail(saleId, eq(sales.sellerId, sellerId));
}

/** The same, requested by the buyer, who owns the mailbox `email`. @throws the same */
export function resendToBuyer(email: string, saleId: string): Promise<ResentAccess> {
  return queueAccessMail(saleId, eq(sales.customerEmail, email));
}

async function queueAccessMail(saleId: string, ownership: SQL): Promise<ResentAccess> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  return db.transaction(async (tx) => {
    const [sale] = await tx
      .select()
      .from(sales)
      .where(and(eq(sales.id, saleId), ownership))
      .for("update");
    if (!sale) throw notFound("Venda não encontrada");
    if (sale.status === "disputed" && !hasAccess(sale))
      throw new Refusal("conflict", NO_ACCESS_REASONS.disputed);
    if (!hasAccess(sale)) throw new Refusal("conflict", "Só vendas concluídas têm acesso para reenviar.");
    if (!sale.customerEmail) throw new Refusal("conflict", "Esta venda não tem e-mail do cliente.");
    const { sellerId, customerEmail: recipient } = sale;
    const [recentMail] = await tx
      .select({ status: mails.status })
      .from(mails)
      .where(
        and(
          ownOfSale(mails, sellerId, saleId),
          gt(mails.createdAt, new Date(Date.now() - REPEAT_WINDOW)),
          eq(mails.kind, "access"),
          eq(mails.recipient, recipient),
          // A mail that bounced does not block another one.
          ne(mails.status, "failed"),
        ),
      )
      .orderBy(desc(mails.createdAt))
      .limit(1);
    if (recentMail) return { recipient, mail: recentMail.status === "sent" ? "sent" : "waiting" };
    await queueMail(
      tx,
      accessMail(sale, recipient, { eventId: randomUUID(), paidAt: sale.completedAt ?? sale.createdAt }),
    );
    return { recipient, mail: "queued" };
  });
}
