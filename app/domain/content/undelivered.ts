import type { OwnContent } from "#app/domain/content/list-content.server.ts";

/** An order bump or upsell on sale without link and content: its buyers get nothing from us. */
export type Undelivered = Pick<OwnContent, "key" | "name"> & { kind: OwnContent["owner"]["kind"] };

/** Those among a product's contents, of which the first is its own; none while it is not on sale. */
export function listUndelivered([product, ...others]: OwnContent[]): Undelivered[] {
  if (!product?.active) return [];
  return others
    .filter(({ active, fileUrl, items }) => active && fileUrl === null && items.length === 0)
    .map(({ key, name, owner }) => ({ key, name, kind: owner.kind }));
}

/** What the message of a saved product adds about them. */
export function undeliveredNote(contents: OwnContent[]): string {
  const missing = listUndelivered(contents);
  return missing.length === 0
    ? ""
    : `. Falta o que entregar: ${missing.map(({ name }) => `"${name}"`).join(", ")}`;
}
