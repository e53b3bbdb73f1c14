import { maskDocument } from "#app/kit/documents.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A buyer's CPF or CNPJ as lists may show it; null where none was given, or none can be read any more. */
export function maskedDocument(sealed: string | null): string | null {
  if (sealed === null) return null;
  try {
    return maskDocument(unseal(sealed));
  } catch (err) {
    // One document that was sealed with a lost secret must not take a whole list with it.
    log.warn({ err }, "a buyer's document cannot be read");
    return null;
  }
}
