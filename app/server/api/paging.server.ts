import { z } from "zod";
import type { SaleCursor } from "#app/domain/sale/sale-cursor.server.ts";
import { writeCursor } from "#app/kit/paginate.ts";

const DEFAULT = 100;
const MAX = 500;

/** Entries per page: by default, and at most. */
export const PAGE_SIZE = { defaultSize: DEFAULT, maxSize: MAX };

/** The requested number of entries: `limit`, at most 500; 100 by default. */
export function readLimit(url: URL): number {
  const requested = Number(url.searchParams.get("limit") ?? DEFAULT);
  return Number.isInteger(requested) && requested > 0 ? Math.min(requested, MAX) : DEFAULT;
}

/** Query parameters of a paged list, for the API's description. @param cursor the shape of its page cursors */
export function pageQuery(cursor: RegExp) {
  return z.object({
    limit: z
      .int()
      .min(1)
      .max(MAX)
      .default(DEFAULT)
      .meta({ description: `Quantos itens por resposta, até ${MAX}` }),
    before: z
      .string()
      .regex(cursor)
      .optional()
      .meta({ description: "Mais antigos que este lugar: vem pronto no Link rel=next" }),
    after: z
      .string()
      .regex(cursor)
      .optional()
      .meta({ description: "Mais novos que este lugar: vem pronto no Link rel=prev" }),
  });
}

/** The `Link` header (RFC 8288): `next` leads to older entries, `prev` to newer ones. */
export function pageLinks<Cursor>(
  url: URL,
  { newer, older }: { newer: Cursor | null; older: Cursor | null },
  write: (cursor: Cursor) => string,
): Record<string, string> {
  const links = [
    ...(older ? [linkTo(url, "before", write(older), "next")] : []),
    ...(newer ? [linkTo(url, "after", write(newer), "prev")] : []),
  ];
  return links.length > 0 ? { Link: links.join(", ") } : {};
}

/** The same for lists with a cursor of sales or mails. */
export function saleCursorLinks(url: URL, page: { newer: SaleCursor | null; older: SaleCursor | null }) {
  return pageLinks(url, page, writeCursor);
}

function linkTo(url: URL, from: "before" | "after", cursor: string, rel: "next" | "prev"): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete("before");
  query.delete("after");
  query.set(from, cursor);
  return `<${url.pathname}?${query}>; rel="${rel}"`;
}
