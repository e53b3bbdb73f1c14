import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailDomains } from "#app/db/schema/mail-settings.server.ts";
import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { findInPages } from "#app/domain/mail/resend/find-in-pages.server.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/**
 * A key to be saved. Not confirmed: Resend could not be reached. `keptDomainId`: the seller's domain at Resend, if the key's account
 * has it; none for a key that may only send.
 */
export type NewResendKey = { key: string; isConfirmed: boolean; keptDomainId?: string | null };

/** The message for a key that was accepted unconfirmed. */
export const UNCONFIRMED_KEY_TEXT =
  " O Resend não respondeu e a chave ainda não foi conferida: envie um e-mail de teste.";

/**
 * Checks a typed key at Resend, before any transaction begins. Null where nothing changes. A key that may only send is
 * accepted. While Resend is away any key is accepted, so that nobody setting up a shop is blocked; the test mail shows
 * whether it works.
 * @throws Refusal invalid where it is no Resend key, or none that Resend knows
 */
export async function checkResendKey(sellerId: string, typed: string): Promise<NewResendKey | null> {
  const key = await findNewKey(sellerId, typed);
  if (key === null) return null;
  const [domain] = await db
    .select({ id: emailDomains.providerId })
    .from(emailDomains)
    .where(eq(emailDomains.sellerId, sellerId));
  return { key, ...(await askResend(key, domain?.id ?? null)) };
}

/**
 * The key to be checked: null for an empty text, the mask shown before, and the saved key.
 * @throws Refusal invalid where it is no Resend key
 */
export async function findNewKey(sellerId: string, typed: string): Promise<string | null> {
  const key = cleanPasted(typed);
  if (key === "" || isMask(key)) return null;
  if (!/^re_[\x21-\x7e]{3,200}$/.test(key))
    throw new Refusal(
      "invalid",
      "A chave do Resend começa com re_. Copie-a inteira do painel do Resend.",
      "resend_api_key",
    );
  return (await findResendKey(sellerId)) === key ? null : key;
}

async function askResend(key: string, domainId: string | null): Promise<Omit<NewResendKey, "key">> {
  try {
    const found = await findInPages(
      (page) => callResend(key, (resend) => resend.domains.list(page)),
      // Without a domain one page shows that the key is known.
      ({ id }) => domainId === null || id === domainId,
    );
    return { isConfirmed: true, keptDomainId: found?.id ?? null };
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (/restricted_api_key/.test(error.message)) return { isConfirmed: true };
    if (error.isRetryable) return { isConfirmed: false };
    throw new Refusal("invalid", explainResendError(error.message), "resend_api_key");
  }
}
