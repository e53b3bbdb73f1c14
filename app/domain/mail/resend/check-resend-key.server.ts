import { SendError } from "#app/domain/mail/message/port.ts";
import { askResend } from "#app/domain/mail/resend/ask-resend.server.ts";
import { explainRefusal } from "#app/domain/mail/resend/explain-refusal.ts";
import { findResendKey } from "#app/domain/mail/resend/find-resend-key.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/** A key to be kept. Not confirmed: Resend could not be asked. */
export type NewResendKey = { key: string; isConfirmed: boolean };

/** Said of a key that was taken on trust. */
export const UNCONFIRMED_KEY =
  " O Resend não respondeu e a chave ainda não foi conferida: envie um e-mail de teste.";

/**
 * Asks Resend whether it knows the key that was typed, before any transaction begins. Null where nothing changes: an empty
 * text, the mask shown before, the key that is saved. A key that may only send is a good one. While Resend is away the
 * key is taken as it is: who sets up a shop is not kept waiting by it, and the test mail tells.
 * @throws Refusal invalid where it is no Resend key, or none that Resend knows
 */
export async function checkResendKey(sellerId: string, typed: string): Promise<NewResendKey | null> {
  const key = typed.trim();
  if (key === "" || isMask(key)) return null;
  if (!/^re_[\x21-\x7e]{3,200}$/.test(key))
    throw new Refusal(
      "invalid",
      "A chave do Resend começa com re_. Copie-a inteira do painel do Resend.",
      "resend_api_key",
    );
  if ((await findResendKey(sellerId)) === key) return null;
  return { key, isConfirmed: await isKnown(key) };
}

/** @returns false where Resend could not be asked */
async function isKnown(key: string): Promise<boolean> {
  try {
    await askResend(key, (resend) => resend.domains.list());
    return true;
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (/restricted_api_key/.test(error.message)) return true;
    if (error.passes) return false;
    throw new Refusal("invalid", explainRefusal(error.message), "resend_api_key");
  }
}
