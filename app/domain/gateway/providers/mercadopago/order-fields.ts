/** Cents as an amount in reais: `"19.90"`. */
export function toAmount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** The payer of an order; their name in two parts, where it is known. */
export function payerFields({ name, email }: { name: string | null; email: string }) {
  const [firstName, ...lastNames] = (name ?? "").split(" ").filter(Boolean);
  return {
    email,
    ...(firstName ? { first_name: firstName } : {}),
    ...(lastNames.length > 0 ? { last_name: lastNames.join(" ") } : {}),
  };
}
