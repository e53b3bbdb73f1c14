import { getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils";

/**
 * Why a PIX code must not be shown to a buyer, or null where it is sound: EMV structure and CRC right, and the amount,
 * where the code holds one, equal to what was asked for. Source: contracts.md section 4.3.
 */
export function whatIsWrongWithPixCode(code: string, amountCents: number): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f-\uffff]/.test(code)) return "characters outside ASCII";
  if (!isValidPixPayload(code)) return "not a valid BR Code";
  const amount = getPixPayloadInfo(code)?.amount;
  if (amount === undefined || amount === null) return null;
  return Math.round(Number(amount) * 100) === amountCents
    ? null
    : `amount ${amount}, asked for ${amountCents} cents`;
}
