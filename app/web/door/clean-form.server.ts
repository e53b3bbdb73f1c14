import { z } from "zod";
import { cleanText } from "#app/kit/clean-text.ts";
import { isPrototypeName, parseOutside } from "#app/kit/outside-json.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** A field's name as our pages write them: `name`, `orderBumps[0].price`. */
const FIELD = /^([A-Za-z][\w-]{0,63})(?:\[\d{1,3}\](?:\.([A-Za-z][\w-]{0,63}))?)?$/;
/** More than a form of ours has, with a box for each of a seller's products. */
const MOST_FIELDS = 10_000;
/** Where the form library keeps which row was added, moved or taken out. */
const INTENT = "__intent__";

/**
 * A posted form with its texts cleaned. A name that no page of ours writes is left out: the form library would make objects
 * and lists of it. So is a file: no form of ours takes one.
 * @throws Refusal too-large; invalid where a row's button carries nonsense
 */
export function cleanForm(posted: FormData): FormData {
  const form = new FormData();
  let count = 0;
  for (const [name, value] of posted) {
    if (++count > MOST_FIELDS) throw new Refusal("too-large", "Os dados enviados são grandes demais");
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

const place = z.int().min(0).max(999).optional();
const rowIntent = z.object({
  type: z.enum(["insert", "remove", "reorder"]),
  payload: z.object({
    name: z.string().refine((name) => isField(name) && !/[.[]/.test(name)),
    index: place,
    from: place,
    to: place,
    defaultValue: z.record(z.string(), z.string()).optional(),
  }),
});

/** The library throws at what it did not write itself, also where the rows to change are no list. */
function readRowIntent(intent: FormDataEntryValue, form: FormData): string {
  const read = rowIntent.safeParse(typeof intent === "string" ? parsed(intent) : null);
  if (!read.success || form.has(read.data.payload.name)) throw notOurs();
  return JSON.stringify(read.data);
}

function parsed(text: string): unknown {
  try {
    return parseOutside(text);
  } catch {
    return null;
  }
}

/** What a program sends, never a page of ours. */
export function notOurs(): Refusal {
  return new Refusal("invalid", "Esta requisição não veio de um formulário");
}
