import { eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailHooks } from "#app/db/schema/mail-settings.server.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

/** Where Resend tells of one account's mails. */
export type Hook = { token: string; keyHash: string | null; hasSecret: boolean; failure: string | null };

/** A seller's webhook address (the platform's for null), made at the first asking. */
export async function openHook(sellerId: string | null): Promise<Hook> {
  const mine = sellerId ? eq(mailHooks.sellerId, sellerId) : isNull(mailHooks.sellerId);
  const read = () => db.select().from(mailHooks).where(mine);
  let [row] = await read();
  if (!row) {
    await db.insert(mailHooks).values({ sellerId, hookToken: randomToken() }).onConflictDoNothing();
    [row] = await read();
  }
  const { hookToken, keyHash, secretSealed, failure } = row!;
  return { token: hookToken, keyHash, hasSecret: secretSealed !== null, failure };
}
