import type { PaginationOptions } from "resend";

/** The maximum of a page, and of pages: far more than an account has. */
const PAGE = 100;
const MAX_PAGES = 20;

/** The first that is meant in an account's list, which comes in pages; null where it has none. */
export async function findInPages<T extends { id: string }>(
  list: (options: PaginationOptions) => Promise<{ data: T[]; has_more: boolean }>,
  isMeant: (one: T) => boolean,
): Promise<T | null> {
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, has_more } = await list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    const found = data.find(isMeant);
    if (found) return found;
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return null;
  }
  return null;
}
