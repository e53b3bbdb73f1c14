import { isValidPixPayload } from "@brazilian-utils/brazilian-utils";

/**
 * Why a PIX code must not be shown to a buyer, or null where it is valid: EMV structure and CRC are right, and the amount,
 * where the code holds one, is the requested one. Source: contracts.md section 4.3.
 */
export function findPixCodeDefect(code: string, amountCents: number): string | null {
  if (!/^[\x20-\x7e]+$/.test(code)) return "characters outside ASCII";
  if (code !== code.trim() || !isValidPixPayload(code)) return "not a valid BR Code";
  const fields = topLevelFields(code);
  if (fields.get("53") !== "986") return "not in BRL";
  const amount = fields.get("54");
  if (amount === undefined) return null;
  return Math.round(Number(amount) * 100) === amountCents
    ? null
    : `amount ${amount}, requested ${amountCents} cents`;
}

/** The code's fields by their number. A field is two digits of id, two of length, the value. */
function topLevelFields(code: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at + 4 <= code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    fields.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}
