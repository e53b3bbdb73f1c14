import { notFound } from "#app/kit/refusal.ts";

/** What no form changes of a product's bumps and upsells. */
export const FIXED_COLUMNS = ["id", "sellerId", "productId", "createdAt", "lastFileUrl"];

/**
 * Compares a submitted list with the existing rows: which to change, add and remove. `position` is the index in the list. A
 * row whose `active` was not sent stays as it is, a paused one keeps its time, and a new one is active.
 * @throws Refusal not-found where a submitted id does not exist, or is sent twice
 */
export function diffRows<T extends { id: number | null; active: boolean | undefined }>(
  existing: { id: number; deactivatedAt: Date | null }[],
  submitted: T[],
) {
  type Row = Omit<T, "id" | "active"> & { position: number; deactivatedAt: Date | null };
  const remaining = new Map(existing.map(({ id, deactivatedAt }) => [id, deactivatedAt]));
  const changed: (Row & { id: number })[] = [];
  const added: Row[] = [];
  for (const [position, { id, active, ...fields }] of submitted.entries()) {
    const saved = id === null ? null : remaining.get(id);
    if (saved === undefined)
      throw notFound(
        "Um dos order bumps ou upsells enviados não existe mais. Abra o produto de novo e repita.",
      );
    const deactivatedAt = active === undefined ? saved : active ? null : (saved ?? new Date());
    const row = { ...fields, position, deactivatedAt };
    if (id === null) {
      added.push(row);
      continue;
    }
    remaining.delete(id);
    changed.push({ ...row, id });
  }
  return { changed, added, removed: [...remaining.keys()] };
}
