/** Whether a text is a UUID in lowercase. Postgres fails on anything else, where "not found" is meant. */
export function isUuid(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/**
 * A sale's number for people: the beginning of its id, by which the seller's search finds it. `d6f8f5bc-…` →
 * `D6F8F5BC`.
 */
export function shortNumber(saleId: string): string {
  return saleId.slice(0, 8).toUpperCase();
}
