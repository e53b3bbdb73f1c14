import { notFound } from "#app/kit/refusal.ts";

/** The owner of a content: a product, or one of its bumps or upsells. */
export type ContentOwner = { kind: "product" | "bump" | "offer"; id: number };

/** The key of an owner in forms and addresses: `product`, `bump-1002`, `offer-1003`. */
export function ownerKey({ kind, id }: ContentOwner): string {
  return kind === "product" ? kind : `${kind}-${id}`;
}

/** Parses such a key. @throws Refusal not-found for any other text */
export function readOwner(productId: number, name: string): ContentOwner {
  if (name === "" || name === "product") return { kind: "product", id: productId };
  const [, kind, id] = /^(bump|offer)-(\d{1,15})$/.exec(name) ?? [];
  if (!id) throw notFound();
  return { kind: kind as "bump" | "offer", id: Number(id) };
}
