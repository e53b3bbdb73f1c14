import { maskDocument } from "#app/kit/documents.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A buyer's CPF or CNPJ, masked for lists; null where none was given, or it cannot be decrypted any more. */
export function maskSealedDocument(sealed: string | null): string | null {
  if (sealed === null) return null;
  try {
    return maskDocument(unseal(sealed));
  } catch (err) {
    // A document sealed with a lost secret must not fail the whole list.
    log.warn({ err }, "a buyer's document cannot be decrypted");
    return null;
  }
}
