import { eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { mailHooks } from "#app/db/schema/mail-settings.server.ts";
import { randomToken } from "#app/platform/secrets.server.ts";

/** The webhook of one account's mails. */
export type ResendHook = {
  token: string;
  keyHash: string | null;
  /** Its id at Resend; null where the secret was entered by hand. */
  providerId: string | null;
  hasSecret: boolean;
  secretSealed: string | null;
  failure: string | null;
  /** When it was last registered or read there; of a secret entered by hand, when it first verified a webhook. */
  checkedAt: Date | null;
};

/** A seller's webhook address (the platform's for null), created on first use. */
export async function ensureHook(sellerId: string | null): Promise<ResendHook> {
  const ownHook = sellerId ? eq(mailHooks.sellerId, sellerId) : isNull(mailHooks.sellerId);
  const readHook = () => db.select().from(mailHooks).where(ownHook);
  let [row] = await readHook();
  if (!row) {
    await db.insert(mailHooks).values({ sellerId, hookToken: randomToken() }).onConflictDoNothing();
    [row] = await readHook();
  }
  const { hookToken, keyHash, providerId, secretSealed, failure, checkedAt } = row!;
  const hasSecret = secretSealed !== null;
  return { token: hookToken, keyHash, providerId, hasSecret, secretSealed, failure, checkedAt };
}
