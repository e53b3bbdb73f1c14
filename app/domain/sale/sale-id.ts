/** Whether a text can be a sale's (or line's) id at all: anything else would be an error in Postgres. */
export function isSaleId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}
