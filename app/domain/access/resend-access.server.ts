import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, ne, type SQL } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasAccess, WHY_NO_ACCESS } from "#app/domain/access/why-no-access.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A second click within this is the same mail. */
const SAME_FOR = MINUTE;

/** Where a purchase goes once more. `mail`: it was queued now, still waits since a moment ago, or left a moment ago. */
export type Resent = { recipient: string; mail: "queued" | "waiting" | "sent" };

/**
 * Mails the purchase once more, as it would be written now, to the address the customer has now.
 * @returns where it goes
 * @throws Refusal not-found for another's sale; conflict where there is nothing to give access to or nobody to write to
 */
export function resendAccess(sellerId: string, saleId: string): Promise<Resent> {
  return resend(saleId, eq(sales.sellerId, sellerId));
}

/** The same where the buyer asks, who reads the mailbox of `email`. @throws Refusal as above */
export function resendToBuyer(email: string, saleId: string): Promise<Resent> {
  return resend(saleId, eq(sales.customerEmail, email));
}

async function resend(saleId: string, whose: SQL): Promise<Resent> {
  if (!isUuid(saleId)) throw notFound("Venda não encontrada");
  return db.transaction(async (tx) => {
    const [sale] = await tx
      .select()
      .from(sales)
      .where(and(eq(sales.id, saleId), whose))
      .for("update");
    if (!sale) throw notFound("Venda não encontrada");
    if (sale.status === "disputed" && !hasAccess(sale)) throw new Refusal("conflict", WHY_NO_ACCESS.disputed);
    if (!hasAccess(sale)) throw new Refusal("conflict", "Só vendas concluídas têm acesso para reenviar.");
    if (!sale.customerEmail) throw new Refusal("conflict", "Esta venda não tem e-mail do cliente.");
    const { sellerId, customerEmail: recipient } = sale;
    const [recent] = await tx
      .select({ status: mails.status })
      .from(mails)
      .where(
        and(
          eq(mails.saleId, saleId),
          gt(mails.createdAt, new Date(Date.now() - SAME_FOR)),
          eq(mails.kind, "access"),
          eq(mails.recipient, recipient),
          // One that did not arrive keeps nobody from another.
          ne(mails.status, "failed"),
        ),
      )
      .orderBy(desc(mails.createdAt))
      .limit(1);
    if (recent) return { recipient, mail: recent.status === "sent" ? "sent" : "waiting" };
    await queueMail(tx, {
      kind: "access",
      idempotencyKey: `access/${saleId}/${randomUUID()}`,
      recipient,
      sellerId,
      saleId,
      facts: { paidAt: (sale.completedAt ?? sale.createdAt).toISOString() },
    });
    return { recipient, mail: "queued" };
  });
}
