import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { CLOSED_DOMAIN } from "#app/domain/mail/queue/closed-address.ts";
import { LINK_LIFETIMES } from "#app/domain/mail/queue/link-lifetimes.ts";

/** Of an account `v`: nobody has confirmed its address, and it has never been used. */
export const isUnusedSql = sql`v.email_verified_at is null and v.closed_at is null and v.anonymized_at is null
  and v.oauth_subject is null and v.password_hash is not null
  and not exists (select from sessions x where x.seller_id = v.id)
  and not exists (select from products p where p.seller_id = v.id)
  and not exists (select from gateway_accounts g where g.seller_id = v.id)`;

/**
 * Of an account `v`: so it stayed for as long as the link works that it was registered with. Links that were requested since do not
 * count, since anybody can request them.
 */
const isLapsedSql = sql`${isUnusedSql} and v.created_at < ${ago(LINK_LIFETIMES["confirm-email"])}`;

/** Whether an address is an account's, other than one whose registration lapsed. */
export async function isAddressTaken(tx: Tx, email: string): Promise<boolean> {
  const found = await tx.execute(
    sql`select from sellers v where v.email = ${email} and not (${isLapsedSql})`,
  );
  return found.length > 0;
}

/**
 * Takes an address from an account whose registration lapsed, for one that confirms it now. What is left of the former is anonymized
 * with the other accounts that nobody confirmed.
 */
export async function releaseLapsedAddress(tx: Tx, email: string): Promise<void> {
  const [lapsed] = await tx.execute<{ id: string }>(
    sql`select v.id from sellers v where v.email = ${email} and ${isLapsedSql} for update`,
  );
  if (!lapsed) return;
  // An account without a password is the identity provider's, which is not anonymized.
  await endAccess(tx, lapsed.id, { password: true });
  await tx.execute(
    sql`update sellers set email = 'encerrada-' || id || ${`@${CLOSED_DOMAIN}`}::text where id = ${lapsed.id}`,
  );
}
