/** As often one name may be said: a stranger's boxes are order bumps, a seller's long form has one for each product. */
export const STRANGERS_REPEATS = 100;
export const SELLERS_REPEATS = 5000;

/**
 * Refuses a form that says one name again and again. The form library copies all that a name said before each time it
 * says more: 60 kB of `a=&a=&…` would hold the process for seconds.
 * @throws Response 400: what a program sends, never a page
 */
export function refuseRepeats(form: FormData, most: number): FormData {
  const said = new Map<string, number>();
  for (const name of form.keys()) {
    const times = (said.get(name) ?? 0) + 1;
    if (times > most) throw new Response("Esta requisição não veio de um formulário", { status: 400 });
    said.set(name, times);
  }
  return form;
}
