import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";

/** Why the provider's word is not enough. */
export type ProviderRefusal = "email_unverified" | "account_unconfirmed" | "account_linked";

/**
 * The seller behind a provider's profile: known by its subject, else linked by e-mail (only where the provider and we
 * have both seen that address confirmed), else new. The account's own e-mail stays when the provider's changes.
 */
export async function signInWithProvider(
  profile: ProviderProfile,
): Promise<{ sellerId: string } | { refusal: ProviderRefusal }> {
  const known = await findBySubject(profile);
  if (known) return { sellerId: known };
  const { email, emailVerified } = profile;
  if (!email || !emailVerified) return { refusal: "email_unverified" };
  const made = await linkOrCreate(profile, email);
  if (made) return { sellerId: made };
  // Lost a race against the same sign-in in another tab, or the address belongs to an account that may not be linked.
  const meanwhile = await findBySubject(profile);
  if (meanwhile) return { sellerId: meanwhile };
  return { refusal: await whyNot(email) };
}

/** Also keeps the picture current. */
async function findBySubject({ subject, pictureUrl }: ProviderProfile): Promise<string | null> {
  const [seller] = await db
    .select({ id: sellers.id, pictureUrl: sellers.pictureUrl })
    .from(sellers)
    .where(eq(sellers.oauthSubject, subject));
  if (seller && pictureUrl && seller.pictureUrl !== pictureUrl)
    await db.update(sellers).set({ pictureUrl }).where(eq(sellers.id, seller.id));
  return seller?.id ?? null;
}

async function linkOrCreate(profile: ProviderProfile, email: string): Promise<string | null> {
  const { subject, name, pictureUrl } = profile;
  const [linked] = await db
    .update(sellers)
    .set({ oauthSubject: subject, ...(pictureUrl ? { pictureUrl } : {}) })
    .where(and(eq(sellers.email, email), isNotNull(sellers.emailVerifiedAt), isNull(sellers.oauthSubject)))
    .returning({ id: sellers.id });
  if (linked) return linked.id;
  const [created] = await db
    .insert(sellers)
    .values({
      email,
      emailVerifiedAt: new Date(),
      name: name ?? email.split("@")[0]!,
      pictureUrl,
      oauthSubject: subject,
    })
    .onConflictDoNothing()
    .returning({ id: sellers.id });
  return created?.id ?? null;
}

async function whyNot(email: string): Promise<ProviderRefusal> {
  const [seller] = await db
    .select({ verifiedAt: sellers.emailVerifiedAt })
    .from(sellers)
    .where(eq(sellers.email, email));
  return seller?.verifiedAt ? "account_linked" : "account_unconfirmed";
}
