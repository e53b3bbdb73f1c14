/** `3 eventos`, `1 produto`. */
export function plural(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

/** The products that a destination is notified of. */
export function productsText(productIds: number[] | null): string {
  return productIds === null ? "Todos os produtos" : plural(productIds.length, "produto");
}
