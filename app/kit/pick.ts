/**
 * A plain object's own entry, undefined where it has none. Asked directly, an object also answers to `constructor` and
 * `__proto__`, which a word from outside may be.
 */
export function pick<T extends object>(record: T, key: string): T[keyof T] | undefined {
  return Object.hasOwn(record, key) ? record[key as keyof T] : undefined;
}
