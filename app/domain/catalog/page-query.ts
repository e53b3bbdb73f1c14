import { readNumberedCursors } from "#app/kit/paginate.ts";

/** The page of products in an address: `?search=`, `?before=`, `?after=`. @throws Refusal invalid for another list's cursor */
export function readPageQuery(query: URLSearchParams) {
  return { search: (query.get("search") ?? "").trim(), ...readNumberedCursors(query) };
}
