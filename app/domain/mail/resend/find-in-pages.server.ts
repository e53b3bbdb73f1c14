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
    const answer = await list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    // What is no list is as good as an empty one.
    const data = Array.isArray(answer?.data) ? answer.data : [];
    const found = data.find(isMeant);
    if (found) return found;
    after = data.at(-1)?.id;
    if (after === undefined || !answer.has_more) return null;
  }
  return null;
}
