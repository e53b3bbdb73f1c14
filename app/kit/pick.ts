/**
 * A plain object's own entry, undefined if it has none. A direct access would also find `constructor` and `__proto__`,
 * which an outside key may be.
 */
export function pick<T extends object>(record: T, key: string): T[keyof T] | undefined {
  return Object.hasOwn(record, key) ? record[key as keyof T] : undefined;
}
