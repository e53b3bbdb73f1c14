import { eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { emailTemplates } from "#app/db/schema/mail-settings.server.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";

/** A seller's purchase mail: their own (then with an id) or the default. */
export async function findTemplate(sellerId: string, tx: Db = db): Promise<Template & { id: number | null }> {
  const [row] = await tx.select().from(emailTemplates).where(eq(emailTemplates.sellerId, sellerId));
  if (!row) return { ...DEFAULT_TEMPLATE, id: null };
  const { id, senderName, senderEmail, subject, htmlContent, simple } = row;
  return { id, senderName, senderEmail, subject, htmlContent, simple };
}
