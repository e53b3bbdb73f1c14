/** Letters without accents, digits, hyphens and underscores. */
export const COUPON_CODE_PATTERN = /^[A-Z0-9_-]{3,32}$/;

/** A code as it is stored and compared: upper case, without accents and blanks. Any text is accepted. */
export function normalizeCouponCode(typed: string): string {
  return typed
    .slice(0, 200)
    .normalize("NFD")
    .replace(/[\u0300-\u036f\s]/g, "")
    .toUpperCase();
}
