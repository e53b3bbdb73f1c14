import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { emailTemplates } from "#app/db/schema/mail-settings.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

/**
 * Saves a seller's purchase mail. Mails already rendered do not change. Mails the seller if the sender's address changed.
 * @returns its id
 */
export async function storeTemplate(
  tx: Tx,
  sellerId: string,
  template: Template,
  origin?: RequestOrigin,
): Promise<number> {
  const senderBefore = await readSenderEmail(tx, sellerId);
  const [row] = await tx
    .insert(emailTemplates)
    .values({ sellerId, ...template })
    .onConflictDoUpdate({ target: emailTemplates.sellerId, set: { ...template, updatedAt: new Date() } })
    .returning({ id: emailTemplates.id });
  if (senderBefore !== template.senderEmail)
    await queueSecurityMail(tx, sellerId, { change: "mail-sender", origin });
  return row!.id;
}

/** Restores the default mail, which has no sender's address of its own. */
export async function resetTemplate(sellerId: string, origin?: RequestOrigin): Promise<void> {
  await withSellerLock(sellerId, async (tx) => {
    const senderBefore = await readSenderEmail(tx, sellerId);
    await tx.delete(emailTemplates).where(eq(emailTemplates.sellerId, sellerId));
    if (senderBefore !== "") await queueSecurityMail(tx, sellerId, { change: "mail-sender", origin });
  });
}

async function readSenderEmail(tx: Tx, sellerId: string): Promise<string> {
  const [row] = await tx
    .select({ senderEmail: emailTemplates.senderEmail })
    .from(emailTemplates)
    .where(eq(emailTemplates.sellerId, sellerId))
    .for("update");
  return row?.senderEmail ?? "";
}
