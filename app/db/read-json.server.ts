/**
 * A JSON column that our own query shaped. The driver returns it as text; nested in another JSON value it is parsed already.
 * Timestamps in it are text.
 */
export function readJsonColumn<T>(value: unknown): T {
  return (typeof value === "string" ? JSON.parse(value) : value) as T;
}
