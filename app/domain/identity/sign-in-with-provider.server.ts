import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { type Joined, joinIdentity } from "#app/domain/identity/join-identity.server.ts";
import { nameOf, type ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";
import type { Origin } from "#app/kit/device.ts";

/** Why the provider's word is not enough. */
export type ProviderRefusal = "email_unverified" | "account_linked";
/** Who may come in; `joined` where the account was there before and opens by the provider from now on. */
export type ProviderEntry = { sellerId: string; joined?: Joined };

/**
 * The seller behind a provider's profile: known by its subject, else joined by the e-mail that the provider has seen
 * confirmed, else new. The account's own e-mail stays when the provider's changes.
 */
export async function signInWithProvider(
  profile: ProviderProfile,
  from?: Origin,
): Promise<ProviderEntry | { refusal: ProviderRefusal }> {
  const known = await findBySubject(profile);
  if (known) return { sellerId: known };
  const { email, emailVerified } = profile;
  if (!email || !emailVerified) return { refusal: "email_unverified" };
  const entered = await joinOrCreate(profile, email, from);
  if (entered) return entered;
  // Lost a race against the same sign-in in another tab, or against a registration: that account is there to join now.
  const meanwhile = await findBySubject(profile);
  if (meanwhile) return { sellerId: meanwhile };
  return (await joinOrCreate(profile, email, from)) ?? { refusal: "account_linked" };
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

/** Null where the address's account belongs to another identity, or came to be this very moment. */
function joinOrCreate(
  profile: ProviderProfile,
  email: string,
  from: Origin | undefined,
): Promise<ProviderEntry | null> {
  return db.transaction(async (tx) => {
    const [there] = await tx
      .select({
        id: sellers.id,
        email: sellers.email,
        emailVerifiedAt: sellers.emailVerifiedAt,
        passwordHash: sellers.passwordHash,
        oauthSubject: sellers.oauthSubject,
      })
      .from(sellers)
      .where(eq(sellers.email, email))
      .for("update");
    if (there?.oauthSubject) return null;
    if (there) return { sellerId: there.id, joined: await joinIdentity(tx, there, profile, from) };
    const { subject, pictureUrl } = profile;
    const [created] = await tx
      .insert(sellers)
      .values({
        email,
        emailVerifiedAt: new Date(),
        name: nameOf(profile, email),
        pictureUrl,
        oauthSubject: subject,
      })
      .onConflictDoNothing()
      .returning({ id: sellers.id });
    return created ? { sellerId: created.id } : null;
  });
}
