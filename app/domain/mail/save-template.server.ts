import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailTemplates } from "#app/db/schema/mail-settings.server.ts";
import type { Template } from "#app/domain/mail/default-template.server.ts";

/** Keeps a seller's purchase mail; mails that are waiting already leave as they were written. @returns its id */
export async function saveTemplate(sellerId: string, template: Template): Promise<number> {
  const [row] = await db
    .insert(emailTemplates)
    .values({ sellerId, ...template })
    .onConflictDoUpdate({ target: emailTemplates.sellerId, set: { ...template, updatedAt: new Date() } })
    .returning({ id: emailTemplates.id });
  return row!.id;
}

/** Goes back to the default mail. */
export async function resetTemplate(sellerId: string): Promise<void> {
  await db.delete(emailTemplates).where(eq(emailTemplates.sellerId, sellerId));
}
