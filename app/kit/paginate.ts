import { Refusal } from "#app/kit/refusal.ts";

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

/** The page cursors of lists as an address contains them: a row's number with its name or part, or its milliseconds with its number or id. */
export const CURSORS = {
  numberAndName: /^(\d{1,15})~(.*)$/,
  numberAndPart: /^(\d{1,15})(?:\.(\d{1,5}))?$/,
  timeAndNumber: /^(\d{1,14})-(\d{1,15})$/,
  timeAndId: /^(\d{1,14})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
};

/** The page in an address: beyond `before` or `after`; null for the one that is not given. */
type Cursors<Cursor> = { before: Cursor | null; after: Cursor | null };

/**
 * Reads the page in an address by the shape of its list's cursors.
 * @throws Refusal invalid for another list's, or none: it would be read as the first page, again and again
 */
function readShaped<Cursor>(
  query: URLSearchParams,
  shape: RegExp,
  toCursor: (found: string[]) => Cursor,
): Cursors<Cursor> {
  const read = (name: string) => {
    const text = query.get(name);
    if (!text) return null;
    const found = shape.exec(text);
    if (!found)
      throw new Refusal("invalid", "Este endereço não é de uma página desta lista: volte à primeira.", name);
    return toCursor(found);
  };
  return { before: read("before"), after: read("after") };
}

/** A row in a list by name. Its name is in the cursor, since the row may be deleted or renamed before the next page is read. */
export type NamedCursor = { id: number; name: string };

/** @throws Refusal invalid */
export function readNamedCursors(query: URLSearchParams): Cursors<NamedCursor> {
  return readShaped(query, CURSORS.numberAndName, ([, id, name]) => ({ id: Number(id), name: name! }));
}

/** A row that may be one of several parts, which share their number. */
export type PartCursor = { sequence: number; part: number };

/** @throws Refusal invalid */
export function readPartCursors(query: URLSearchParams): Cursors<PartCursor> {
  return readShaped(query, CURSORS.numberAndPart, ([, sequence, part]) => ({
    sequence: Number(sequence),
    part: Number(part ?? 0),
  }));
}

/** A cursor that `readPartCursors` reads. */
export function writePartCursor({ sequence, part }: PartCursor): string {
  return part === 0 ? String(sequence) : `${sequence}.${part}`;
}

/** @throws Refusal invalid */
export function readNumberedCursors(query: URLSearchParams): Cursors<{ createdAt: Date; id: number }> {
  return readShaped(query, CURSORS.timeAndNumber, ([, time, id]) => ({
    createdAt: new Date(Number(time)),
    id: Number(id),
  }));
}

/** @throws Refusal invalid */
export function readCursors(query: URLSearchParams): Cursors<{ createdAt: Date; id: string }> {
  return readShaped(query, CURSORS.timeAndId, ([, time, id]) => ({
    createdAt: new Date(Number(time)),
    id: id!,
  }));
}

/** A cursor that `readCursors` reads. */
export function writeCursor({ createdAt, id }: { createdAt: Date; id: string }): string {
  return `${createdAt.getTime()}_${id}`;
}

/** A cursor that `readNumberedCursors` reads. */
export function writeNumberedCursor({ createdAt, id }: { createdAt: Date; id: number }): string {
  return `${createdAt.getTime()}-${id}`;
}
