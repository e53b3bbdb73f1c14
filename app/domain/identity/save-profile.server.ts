import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { rejectStale, versionOf } from "#app/db/version.server.ts";
import type { ProfileForm } from "#app/domain/identity/account-form.server.ts";
import { isAddressTaken } from "#app/domain/identity/email/lapsed-registration.server.ts";
import { renderEmailChangeMail } from "#app/domain/identity/email/render-account-mails.server.ts";
import { sendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import type { Account } from "#app/domain/identity/find-account.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { requireOpenAccess } from "#app/domain/mail/queue/require-open-access.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";

/**
 * Saves name, company and phone at once; a new e-mail applies once its link is used, and the old address is notified.
 * @returns the address that waits for confirmation, or null
 * @throws Refusal conflict (`email`, or the profile was saved since `version`); unauthorized as `requireOpenAccess`
 */
export async function saveProfile(
  sellerId: string,
  profile: ProfileForm,
  version?: string,
  from?: RequestOrigin,
): Promise<string | null> {
  const { name, company, phone, email } = profile;
  return db.transaction(async (tx) => {
    const [seller] = await tx.select().from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
    if (!seller) throw notFound();
    rejectStale(version, profileVersion(seller));
    await tx
      .update(sellers)
      .set({ name, company: company || null, phone })
      .where(eq(sellers.id, sellerId));
    // Their checkout names them.
    await notify(tx, "storefront", `seller:${sellerId}`);
    if (seller.email === email) return null;
    await requireOpenAccess(tx, sellerId, from);
    if (await isAddressTaken(tx, email))
      throw new Refusal("conflict", "Este e-mail já é usado por outra conta", "email");
    const expiresAt = await sendConfirmation(tx, { id: sellerId, name, email });
    await queueMail(tx, {
      kind: "email-change",
      idempotencyKey: `email-change/${sellerId}/${Date.now()}`,
      recipient: seller.email,
      sellerId,
      mail: renderEmailChangeMail(name, email, expiresAt),
    });
    return email;
  });
}

/** The version of the profile form's data. */
export function profileVersion(fields: Pick<Account, "name" | "email" | "company" | "phone">): string {
  return versionOf([fields.name, fields.email, fields.company, fields.phone]);
}
