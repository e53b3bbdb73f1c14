/**
 * Whether a text is a UUID as we write it, in small letters. Postgres answers anything else with an error, where "not
 * found" is meant.
 */
export function isUuid(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
