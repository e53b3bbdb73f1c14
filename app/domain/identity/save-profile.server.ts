import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { ProfileForm } from "#app/domain/identity/account-form.server.ts";
import { emailChangeMail } from "#app/domain/identity/email/confirm-mail.server.ts";
import { sendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/**
 * Saves name, company and phone at once; a new e-mail counts when its link is used, and the old address is told.
 * @returns the address that waits for confirmation, or null
 * @throws Refusal conflict (`email`)
 */
export async function saveProfile(sellerId: string, profile: ProfileForm): Promise<string | null> {
  const { name, company, phone, email } = profile;
  return db.transaction(async (tx) => {
    const [seller] = await tx
      .update(sellers)
      .set({ name, company: company || null, phone })
      .where(eq(sellers.id, sellerId))
      .returning({ email: sellers.email });
    if (!seller) throw notFound();
    if (seller.email === email) return null;
    const [other] = await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.email, email));
    if (other) throw new Refusal("conflict", "Este e-mail já é usado por outra conta", "email");
    await sendConfirmation(tx, { id: sellerId, name, email });
    await queueMail(tx, {
      kind: "email-change",
      idempotencyKey: `email-change/${sellerId}/${Date.now()}`,
      recipient: seller.email,
      sellerId,
      mail: emailChangeMail(name, email),
    });
    return email;
  });
}
