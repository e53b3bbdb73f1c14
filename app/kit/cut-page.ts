/** A page of a list, and its outermost rows where there is more beyond them; null where there is not. */
type CutPage<Row> = { items: Row[]; newer: Row | null; older: Row | null };

/**
 * The page that `rows` make, newest first. They begin beyond `after` and go up, else beyond `before` or at the top and go
 * down; one more than `limit` was asked for, which tells whether there are others.
 */
export function cutPage<Row>(
  rows: Row[],
  { limit, before, after }: { limit: number; before?: unknown; after?: unknown },
): CutPage<Row> {
  const more = rows.length > limit;
  const items = rows.slice(0, limit);
  if (after) items.reverse();
  const [first = null, last = null] = [items[0], items.at(-1)];
  // Where a page was come from, there is one.
  if (after) return { items, newer: more ? first : null, older: last };
  return { items, newer: before ? first : null, older: more ? last : null };
}
