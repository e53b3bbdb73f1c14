/** `KEY_PARAMETER` and a signature. */
const KEY = /[?&]chave=([\w-]{43})/g;

/** The keys in a body's addresses, each of which opens a purchase. */
export function purchaseKeysIn(body: string): string[] {
  return [...body.matchAll(KEY)].map(([, key]) => key!);
}
