/**
 * What a statement built as JSON, which our own query shaped. The driver hands it over as text; a statement within a
 * statement has parsed it already. Moments are text in it.
 */
export function readJsonColumn<T>(value: unknown): T {
  return (typeof value === "string" ? JSON.parse(value) : value) as T;
}
