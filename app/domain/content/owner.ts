import { notFound } from "#app/kit/refusal.ts";

/** Whose content it is: a product's, or that of one of its bumps or offers. */
export type Owner = { kind: "product" | "bump" | "offer"; id: number };

/** As forms and addresses name it: `product`, `bump-1002`, `offer-1003`. */
export function ownerName({ kind, id }: Owner): string {
  return kind === "product" ? kind : `${kind}-${id}`;
}

/** @throws Refusal not-found for what names nothing */
export function readOwner(productId: number, name: string): Owner {
  if (name === "" || name === "product") return { kind: "product", id: productId };
  const [, kind, id] = /^(bump|offer)-(\d{1,15})$/.exec(name) ?? [];
  if (!id) throw notFound();
  return { kind: kind as "bump" | "offer", id: Number(id) };
}
