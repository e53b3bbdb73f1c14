import { z } from "zod";
import { cleanText } from "#app/kit/clean-text.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isPrototypeName, parseUntrusted } from "#app/kit/untrusted-json.ts";

/** A field name as our pages write it: `name`, `orderBumps[0].price`. */
const FIELD = /^([A-Za-z][\w-]{0,63})(?:\[\d{1,3}\](?:\.([A-Za-z][\w-]{0,63}))?)?$/;
/** More than any form of ours has, even with a checkbox for each of a seller's products. */
const MAX_FIELDS = 10_000;
/** How often one name may appear: a buyer's checkboxes are order bumps, a seller's long form has one per product. */
export const MAX_PUBLIC_REPEATS = 100;
export const MAX_SELLER_REPEATS = 5000;
/** The form library's field for adding, moving and removing rows. */
const INTENT = "__intent__";

/**
 * A posted form with its texts cleaned. Names that no page of ours writes are removed, since the form library would
 * create objects and lists from them; so are files, which no such form accepts.
 * @throws Refusal too-large; invalid if a row's button has an invalid value
 */
export function cleanForm(posted: FormData): FormData {
  const form = new FormData();
  let count = 0;
  for (const [name, value] of posted) {
    if (++count > MAX_FIELDS) throw new Refusal("too-large", "Os dados enviados são grandes demais");
    if (typeof value === "string" && isField(name)) form.append(name, cleanText(value));
  }
  const intent = posted.get(INTENT);
  if (intent) form.set(INTENT, readRowIntent(intent, form));
  return form;
}

function isField(name: string): boolean {
  const [, first, inside = ""] = FIELD.exec(name) ?? [];
  return first !== undefined && !isPrototypeName(first) && !isPrototypeName(inside);
}

const rowIndex = z.int().min(0).max(999).optional();
const rowIntent = z.object({
  type: z.enum(["insert", "remove", "reorder"]),
  payload: z.object({
    name: z.string().refine((name) => isField(name) && !/[.[]/.test(name)),
    index: rowIndex,
    from: rowIndex,
    to: rowIndex,
    defaultValue: z.record(z.string(), z.string()).optional(),
  }),
});

/** The library throws at intents it did not write, also if the rows to change are no list. */
function readRowIntent(intent: FormDataEntryValue, form: FormData): string {
  const read = rowIntent.safeParse(typeof intent === "string" ? parseOrNull(intent) : null);
  if (!read.success || form.has(read.data.payload.name)) throw foreignForm();
  return JSON.stringify(read.data);
}

function parseOrNull(text: string): unknown {
  try {
    return parseUntrusted(text);
  } catch {
    return null;
  }
}

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

/** For requests that a program sends, never a page of ours. */
export function foreignForm(): Refusal {
  return new Refusal("invalid", "Esta requisição não veio de um formulário");
}
