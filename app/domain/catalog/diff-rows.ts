import { notFound } from "#app/kit/refusal.ts";

/**
 * Compares a submitted list with the existing rows: which to change, add and remove. `position` is the index in the list.
 * @throws Refusal not-found where a submitted id does not exist, or is sent twice
 */
export function diffRows<T extends { id: number | null }>(existingIds: number[], submitted: T[]) {
  const remainingIds = new Set(existingIds);
  const changed: (T & { id: number; position: number })[] = [];
  const added: (Omit<T, "id"> & { position: number })[] = [];
  for (const [position, row] of submitted.entries()) {
    const { id, ...fields } = row;
    if (id === null) added.push({ ...fields, position });
    else if (remainingIds.delete(id)) changed.push({ ...row, id, position });
    else throw notFound("Uma das ofertas enviadas não existe mais. Recarregue a página e tente de novo.");
  }
  return { changed, added, removed: [...remainingIds] };
}
