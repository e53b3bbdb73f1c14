import { notFound } from "#app/kit/refusal.ts";

/**
 * What a sent list means for the rows that exist: which to change, add and remove. `position` is the place in the list.
 * @throws Refusal not-found where a sent id is none of the known ones, or is sent twice
 */
export function diffRows<T extends { id: number | null }>(known: number[], sent: T[]) {
  const left = new Set(known);
  const changed: (T & { id: number; position: number })[] = [];
  const added: (Omit<T, "id"> & { position: number })[] = [];
  for (const [position, row] of sent.entries()) {
    const { id, ...fields } = row;
    if (id === null) added.push({ ...fields, position });
    else if (left.delete(id)) changed.push({ ...row, id, position });
    else throw notFound("Uma das ofertas enviadas não existe mais. Recarregue a página e tente de novo.");
  }
  return { changed, added, removed: [...left] };
}
