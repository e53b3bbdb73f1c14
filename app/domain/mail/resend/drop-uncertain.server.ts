import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { failMailsSql, UNCERTAIN_TEXT } from "#app/domain/mail/queue/fail-mails.server.ts";
import { isRendered } from "#app/domain/mail/queue/mail-body.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { hashToken, isSameSecret } from "#app/platform/secrets.server.ts";

/**
 * Drops waiting mails that a seller's account may have accepted, also where a worker died in the call and its lease has ended:
 * another account would send a second copy. While the lease runs, the worker may be alive: it drops its own (`dropIfAccountLeft`).
 */
export async function dropUncertain(tx: Tx, sellerId: string, which: SQL = sql`true`): Promise<void> {
  const isAbandoned = sql`(claimed_at is not null and ${isRendered} and coalesce(leased_until <= now(), true))`;
  const mayHaveArrived = sql`seller_id = ${sellerId} and via = 'seller' and (uncertain_since is not null or ${isAbandoned})
    and scheduled_at is not null and ${which}`;
  await tx.execute(failMailsSql(mayHaveArrived, { failure: "dropped", error: UNCERTAIN_TEXT }));
}

/** The same of one whose answer was lost, where its seller replaced or removed the key of this account during the call. */
export function dropIfAccountLeft(sellerId: string, mailId: string, account: string): Promise<void> {
  return withSellerLock(sellerId, async (tx) => {
    const key = await findResendKey(sellerId, tx);
    if (key === null || !isSameSecret(hashToken(key), account))
      await dropUncertain(tx, sellerId, sql`id = ${mailId}`);
  });
}
