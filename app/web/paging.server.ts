import { z } from "zod";
import { type SalePlace, writePlace } from "#app/domain/reports/sales-filter.ts";

const DEFAULT = 100;
const MAX = 500;

/** Entries of one answer: where nothing is asked for, and at most. */
export const PAGE_SIZE = { usual: DEFAULT, most: MAX };

/** How many entries a call asks for: `limit`, at most 500; 100 where it does not say. */
export function readLimit(url: URL): number {
  const asked = Number(url.searchParams.get("limit") ?? DEFAULT);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, MAX) : DEFAULT;
}

/** What every list that goes by pages takes in its query, as the API's description tells it. */
export const pageQuery = z.object({
  limit: z
    .int()
    .min(1)
    .max(MAX)
    .default(DEFAULT)
    .meta({ description: `Quantos itens por resposta, até ${MAX}` }),
  before: z
    .string()
    .optional()
    .meta({ description: "Mais antigos que este lugar: vem pronto no Link rel=next" }),
  after: z
    .string()
    .optional()
    .meta({ description: "Mais novos que este lugar: vem pronto no Link rel=prev" }),
});

/** The header that names the pages beside this one, RFC 8288: `next` goes to older entries, `prev` to newer ones. */
export function pageLinks<Place>(
  url: URL,
  { newer, older }: { newer: Place | null; older: Place | null },
  write: (place: Place) => string,
): Record<string, string> {
  const links = [
    ...(older ? [linkTo(url, "before", write(older), "next")] : []),
    ...(newer ? [linkTo(url, "after", write(newer), "prev")] : []),
  ];
  return links.length > 0 ? { Link: links.join(", ") } : {};
}

/** The same for lists whose place is a sale's or a mail's. */
export function saleLinks(url: URL, page: { newer: SalePlace | null; older: SalePlace | null }) {
  return pageLinks(url, page, writePlace);
}

function linkTo(url: URL, from: "before" | "after", place: string, rel: "next" | "prev"): string {
  const query = new URLSearchParams(url.searchParams);
  query.delete("before");
  query.delete("after");
  query.set(from, place);
  return `<${url.pathname}?${query}>; rel="${rel}"`;
}
