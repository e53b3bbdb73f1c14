import type { ProductPlace } from "#app/domain/catalog/list-products.server.ts";

/** Which page of products an address asks for: `?search=`, `?before=`, `?after=`; a place it cannot read is not there. */
export function readPageQuery(query: URLSearchParams): {
  search: string;
  before: ProductPlace | null;
  after: ProductPlace | null;
} {
  return {
    search: (query.get("search") ?? "").trim(),
    before: readPlace(query.get("before")),
    after: readPlace(query.get("after")),
  };
}

/** A place as an address carries it: milliseconds and id. */
export function writePlace({ id, createdAt }: ProductPlace): string {
  return `${createdAt.getTime()}-${id}`;
}

function readPlace(text: string | null): ProductPlace | null {
  const found = /^(\d{1,14})-(\d{1,15})$/.exec(text ?? "");
  return found ? { createdAt: new Date(Number(found[1])), id: Number(found[2]) } : null;
}
