import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { emailTemplates } from "#app/db/schema/mail-settings.server.ts";
import { inSellersTurn } from "#app/db/version.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import type { Origin } from "#app/kit/device.ts";

/** Keeps a seller's purchase mail. @returns its id */
export async function saveTemplate(sellerId: string, template: Template, from?: Origin): Promise<number> {
  return inSellersTurn(sellerId, (tx) => keepTemplate(tx, sellerId, template, from));
}

/**
 * The same within a transaction. Mails that are waiting already leave as they were written. The seller is told where its
 * sender's address is another.
 */
export async function keepTemplate(
  tx: Tx,
  sellerId: string,
  template: Template,
  from?: Origin,
): Promise<number> {
  const before = await senderOf(tx, sellerId);
  const [row] = await tx
    .insert(emailTemplates)
    .values({ sellerId, ...template })
    .onConflictDoUpdate({ target: emailTemplates.sellerId, set: { ...template, updatedAt: new Date() } })
    .returning({ id: emailTemplates.id });
  if (before !== template.senderEmail)
    await queueSecurityNotice(tx, sellerId, { change: "mail-sender", from });
  return row!.id;
}

/** Goes back to the default mail, which has no sender's address of its own. */
export async function resetTemplate(sellerId: string, from?: Origin): Promise<void> {
  await inSellersTurn(sellerId, async (tx) => {
    const before = await senderOf(tx, sellerId);
    await tx.delete(emailTemplates).where(eq(emailTemplates.sellerId, sellerId));
    if (before !== "") await queueSecurityNotice(tx, sellerId, { change: "mail-sender", from });
  });
}

async function senderOf(tx: Tx, sellerId: string): Promise<string> {
  const [row] = await tx
    .select({ senderEmail: emailTemplates.senderEmail })
    .from(emailTemplates)
    .where(eq(emailTemplates.sellerId, sellerId))
    .for("update");
  return row?.senderEmail ?? "";
}
