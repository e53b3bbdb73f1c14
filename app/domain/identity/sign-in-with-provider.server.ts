import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { type JoinOutcome, joinIdentity } from "#app/domain/identity/join-identity.server.ts";
import { displayName, type ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

/** Why a sign-in by the provider is refused. */
export type ProviderRefusal = "email_unverified" | "account_linked";
/** A successful sign-in; `joined` if an existing account was joined to the identity. */
export type ProviderSignIn = { sellerId: string; joined?: JoinOutcome };

/**
 * The seller of a provider's profile: found by its subject, else joined by its verified e-mail, else new. The account's
 * own e-mail stays when the provider's changes.
 */
export async function signInWithProvider(
  profile: ProviderProfile,
  from?: RequestOrigin,
): Promise<ProviderSignIn | { refusal: ProviderRefusal }> {
  const known = await findBySubject(profile);
  if (known) return { sellerId: known };
  const { email, emailVerified } = profile;
  if (!email || !emailVerified) return { refusal: "email_unverified" };
  const entry = await joinOrCreate(profile, email, from);
  if (entry) return entry;
  // Lost a race against the same sign-in in another tab, or against a registration: that account can be joined now.
  const raceWinner = await findBySubject(profile);
  if (raceWinner) return { sellerId: raceWinner };
  return (await joinOrCreate(profile, email, from)) ?? { refusal: "account_linked" };
}

/** Also updates the picture. */
async function findBySubject({ subject, pictureUrl }: ProviderProfile): Promise<string | null> {
  const [seller] = await db
    .select({ id: sellers.id, pictureUrl: sellers.pictureUrl })
    .from(sellers)
    .where(eq(sellers.oauthSubject, subject));
  if (seller && pictureUrl && seller.pictureUrl !== pictureUrl)
    await db.update(sellers).set({ pictureUrl }).where(eq(sellers.id, seller.id));
  return seller?.id ?? null;
}

/** Null if the account of the address has another identity, or was created concurrently. */
function joinOrCreate(
  profile: ProviderProfile,
  email: string,
  from: RequestOrigin | undefined,
): Promise<ProviderSignIn | null> {
  return db.transaction(async (tx) => {
    const [existing] = await tx
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
    if (existing?.oauthSubject) return null;
    if (existing) return { sellerId: existing.id, joined: await joinIdentity(tx, existing, profile, from) };
    const { subject, pictureUrl } = profile;
    const [created] = await tx
      .insert(sellers)
      .values({
        email,
        emailVerifiedAt: new Date(),
        name: displayName(profile, email),
        pictureUrl,
        oauthSubject: subject,
      })
      .onConflictDoNothing()
      .returning({ id: sellers.id });
    return created ? { sellerId: created.id } : null;
  });
}
