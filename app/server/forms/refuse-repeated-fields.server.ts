/** How often one name may appear: a buyer's checkboxes are order bumps, a seller's long form has one per product. */
export const MAX_PUBLIC_REPEATS = 100;
export const MAX_SELLER_REPEATS = 5000;

/**
 * Refuses a form that repeats a name too often. The form library copies all earlier values of a name for each further
 * one: 60 kB of `a=&a=&…` would block the process for seconds.
 * @throws Response 400: sent by programs, never by our pages
 */
export function refuseRepeatedFields(form: FormData, max: number): FormData {
  const counts = new Map<string, number>();
  for (const name of form.keys()) {
    const times = (counts.get(name) ?? 0) + 1;
    if (times > max) throw new Response("Esta requisição não veio de um formulário", { status: 400 });
    counts.set(name, times);
  }
  return form;
}
