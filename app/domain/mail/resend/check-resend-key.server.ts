import { SendError } from "#app/domain/mail/message/mail-carrier.ts";
import { callResend } from "#app/domain/mail/resend/call-resend.server.ts";
import { explainResendError } from "#app/domain/mail/resend/explain-resend-error.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/** A key to be saved. Not confirmed: Resend could not be reached. */
export type NewResendKey = { key: string; isConfirmed: boolean };

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
  return key === null ? null : { key, isConfirmed: await isKnownToResend(key) };
}

/**
 * The key to be checked: null for an empty text, the mask shown before, and the saved key.
 * @throws Refusal invalid where it is no Resend key
 */
export async function findNewKey(sellerId: string, typed: string): Promise<string | null> {
  const key = typed.trim();
  if (key === "" || isMask(key)) return null;
  if (!/^re_[\x21-\x7e]{3,200}$/.test(key))
    throw new Refusal(
      "invalid",
      "A chave do Resend começa com re_. Copie-a inteira do painel do Resend.",
      "resend_api_key",
    );
  return (await findResendKey(sellerId)) === key ? null : key;
}

/** @returns false where Resend could not be reached */
async function isKnownToResend(key: string): Promise<boolean> {
  try {
    await callResend(key, (resend) => resend.domains.list());
    return true;
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (/restricted_api_key/.test(error.message)) return true;
    if (error.isRetryable) return false;
    throw new Refusal("invalid", explainResendError(error.message), "resend_api_key");
  }
}
