import type { ProductCursor } from "#app/domain/catalog/list-products.server.ts";

/** The page of products in an address: `?search=`, `?before=`, `?after=`; invalid cursors are ignored. */
export function readPageQuery(query: URLSearchParams): {
  search: string;
  before: ProductCursor | null;
  after: ProductCursor | null;
} {
  return {
    search: (query.get("search") ?? "").trim(),
    before: readCursor(query.get("before")),
    after: readCursor(query.get("after")),
  };
}

/** A cursor as in an address: milliseconds and id. */
export function writeCursor({ id, createdAt }: ProductCursor): string {
  return `${createdAt.getTime()}-${id}`;
}

function readCursor(text: string | null): ProductCursor | null {
  const found = /^(\d{1,14})-(\d{1,15})$/.exec(text ?? "");
  return found ? { createdAt: new Date(Number(found[1])), id: Number(found[2]) } : null;
}
