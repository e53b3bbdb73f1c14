import { QUANTITY_PARAMETER } from "#app/kit/paths.ts";

/** The query parameters that fill in a field; the Portuguese names are those of links that sellers write. */
const PREFILLING = {
  customer_name: ["name", "nome"],
  customer_email: ["email"],
  customer_phone: ["phone", "tel"],
};
/** Those with a CPF or CNPJ, which must not stay in an address. */
const DOCUMENT_PARAMETERS = ["document", "cpf"];

const firstOf = (query: URLSearchParams, names: string[]) =>
  names
    .map((name) => query.get(name))
    .find(Boolean)
    ?.slice(0, 200);

/** What a link fills in. */
export type Prefill = { values: Record<string, string>; bumpIds: number[]; quantity: string };

/** What the URL fills in; null if nothing, so that the page can be cached. `bump` is an order bump's id, or several. */
export function readPrefill(query: URLSearchParams): Prefill | null {
  const values = Object.fromEntries(
    Object.entries(PREFILLING).flatMap(([field, names]) => {
      const value = firstOf(query, names);
      return value ? [[field, value]] : [];
    }),
  );
  const bumpIds = query
    .getAll("bump")
    .flatMap((ids) => ids.split(",").slice(0, 100))
    .map(Number)
    .filter(Number.isSafeInteger);
  const quantity = query.get(QUANTITY_PARAMETER)?.slice(0, 10) ?? "";
  const isFilled = Object.keys(values).length > 0 || bumpIds.length > 0 || quantity !== "";
  return isFilled ? { values, bumpIds, quantity } : null;
}

/** The document in a URL, and the query without it; null if it has none. */
export function takeDocument(query: URLSearchParams): { document: string; without: URLSearchParams } | null {
  const without = new URLSearchParams(query);
  for (const name of DOCUMENT_PARAMETERS) without.delete(name);
  if (without.size === query.size) return null;
  return { document: firstOf(query, DOCUMENT_PARAMETERS) ?? "", without };
}
