import { withoutEnd, withoutEnds } from "#app/kit/without-end.ts";

/** What a checkout slug may be: letters, digits and hyphens, 1 to 80 characters. Source: spec, entity Product. */
export const SLUG_PATTERN = /^[A-Za-z0-9-]{1,80}$/;

/** A slug for a name: `Curso de Violão!` → `curso-de-violao`; empty if the name has no letter or digit. */
export function slugify(name: string): string {
  const hyphenated = name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return withoutEnd(withoutEnds(hyphenated, "-").slice(0, 80), "-");
}
