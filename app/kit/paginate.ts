/** A page of a list, and its outermost rows if there is more beyond them, else null. */
type Page<Row> = { items: Row[]; newer: Row | null; older: Row | null };

/**
 * The page made of `rows`, newest first. They begin after `after` and go up, else before `before` or at the top and go
 * down. Query one row more than `limit`: it shows whether there are others.
 */
export function paginate<Row>(
  rows: Row[],
  { limit, before, after }: { limit: number; before?: unknown; after?: unknown },
): Page<Row> {
  const hasMore = rows.length > limit;
  const items = rows.slice(0, limit);
  if (after) items.reverse();
  const [first = null, last = null] = [items[0], items.at(-1)];
  // There is a page in the direction the request came from.
  if (after) return { items, newer: hasMore ? first : null, older: last };
  return { items, newer: before ? first : null, older: hasMore ? last : null };
}
