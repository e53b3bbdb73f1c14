import { and, count, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { apiKeys, sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { displayName, type ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

/** The account an identity is joined to, with its row locked. */
export type JoinCandidate = {
  id: string;
  email: string;
  emailVerifiedAt: Date | null;
  passwordHash: string | null;
};

/** The account's state before: never confirmed, or confirmed with or without other access. */
export type JoinOutcome = "unconfirmed" | "shared" | "alone";

/**
 * Joins a provider's identity to the account with its address. An unconfirmed account may be anybody's: all its access
 * ends, and its name becomes the provider's. A confirmed one keeps both, and its owner is notified.
 */
export async function joinIdentity(
  tx: Tx,
  seller: JoinCandidate,
  profile: ProviderProfile,
  from?: RequestOrigin,
): Promise<JoinOutcome> {
  const { subject, pictureUrl } = profile;
  const identity = { oauthSubject: subject, ...(pictureUrl ? { pictureUrl } : {}) };
  if (!seller.emailVerifiedAt) {
    await endAccess(tx, seller.id, {});
    const own = { name: displayName(profile, seller.email), company: null, phone: null };
    await tx
      .update(sellers)
      .set({ ...identity, ...own, emailVerifiedAt: new Date() })
      .where(eq(sellers.id, seller.id));
    await notify(tx, "storefront", `seller:${seller.id}`);
    await notifyOwner(tx, seller.id, from, [
      "A conta com este endereço nunca tinha sido confirmada. A senha que alguém escolheu para ela deixou de valer.",
    ]);
    return "unconfirmed";
  }
  await tx.update(sellers).set(identity).where(eq(sellers.id, seller.id));
  const others = await describeOtherAccess(tx, seller);
  await notifyOwner(
    tx,
    seller.id,
    from,
    others.length > 0
      ? [`Ela também abre com: ${others.join("; ")}. Não são seus? Encerre tudo de uma vez.`]
      : [],
  );
  return others.length > 0 ? "shared" : "alone";
}

/** Portuguese names of what else opens the account. */
async function describeOtherAccess(tx: Tx, { id, passwordHash }: JoinCandidate): Promise<string[]> {
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

function notifyOwner(
  tx: Tx,
  sellerId: string,
  from: RequestOrigin | undefined,
  lines: string[],
): Promise<void> {
  return queueSecurityMail(tx, sellerId, { change: "identity-joined", origin: from, lines });
}
