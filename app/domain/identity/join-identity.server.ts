import { and, count, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { apiKeys, sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { nameOf, type ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import type { Origin } from "#app/kit/device.ts";

/** The account an identity is joined to, with its row locked. */
export type Joinable = {
  id: string;
  email: string;
  emailVerifiedAt: Date | null;
  passwordHash: string | null;
};

/** What the account was: never confirmed, or confirmed and with or without anything else that opens it. */
export type Joined = "unconfirmed" | "shared" | "alone";

/**
 * Joins a provider's identity to the account that has its address. An account that nobody confirmed may be anybody's:
 * what opened it ends, and its name is the provider's. A confirmed one keeps all that, and its owner is told of it.
 */
export async function joinIdentity(
  tx: Tx,
  seller: Joinable,
  profile: ProviderProfile,
  from?: Origin,
): Promise<Joined> {
  const { subject, pictureUrl } = profile;
  const identity = { oauthSubject: subject, ...(pictureUrl ? { pictureUrl } : {}) };
  if (!seller.emailVerifiedAt) {
    await endAccess(tx, seller.id, {});
    const own = { name: nameOf(profile, seller.email), company: null, phone: null };
    await tx
      .update(sellers)
      .set({ ...identity, ...own, emailVerifiedAt: new Date() })
      .where(eq(sellers.id, seller.id));
    await tell(tx, seller.id, from, [
      "A conta com este endereço nunca tinha sido confirmada. A senha que alguém escolheu para ela deixou de valer.",
    ]);
    return "unconfirmed";
  }
  await tx.update(sellers).set(identity).where(eq(sellers.id, seller.id));
  const others = await otherAccess(tx, seller);
  await tell(
    tx,
    seller.id,
    from,
    others.length > 0
      ? [`Ela também abre com: ${others.join("; ")}. Não são seus? Encerre tudo de uma vez.`]
      : [],
  );
  return others.length > 0 ? "shared" : "alone";
}

/** What else opens the account, in words. */
async function otherAccess(tx: Tx, { id, passwordHash }: Joinable): Promise<string[]> {
  const [keys] = await tx
    .select({ n: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.sellerId, id), isNull(apiKeys.revokedAt)));
  const [open] = await tx
    .select({ n: count() })
    .from(sessions)
    .where(and(eq(sessions.sellerId, id), gt(sessions.expiresAt, new Date())));
  return [
    ...(passwordHash ? ["uma senha"] : []),
    ...(keys!.n > 0 ? [keys!.n === 1 ? "uma chave de API" : `${keys!.n} chaves de API`] : []),
    ...(open!.n > 0 ? [open!.n === 1 ? "uma sessão aberta" : `${open!.n} sessões abertas`] : []),
  ];
}

function tell(tx: Tx, sellerId: string, from: Origin | undefined, lines: string[]): Promise<void> {
  return queueSecurityNotice(tx, sellerId, { change: "identity-joined", from, lines });
}
