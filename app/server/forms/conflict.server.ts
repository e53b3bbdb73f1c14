import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { STALE } from "#app/db/version.server.ts";
import { formatDateTime, parseDateTimeField } from "#app/kit/dates.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";

/** The stored state of a form's subject: its fields, as the page fills them, and their version. */
export type SavedState = { saved: object; version: string };

/** A field whose values are kinds or ids, with the texts a seller knows them by. */
export type ChoiceLabel = { label: string; texts: Record<string, string> };

/** The fields that are compared, with the names a seller knows. Those of a list's rows: `orderBumps.price`. */
export type ComparedLabels = Record<string, string | ChoiceLabel>;

/** The texts of a choice's values: their names by id. */
export function namesById(choices: { id: string | number; name: string }[]): Record<string, string> {
  return Object.fromEntries(choices.map(({ id, name }) => [String(id), name]));
}

/**
 * The version a form was filled from, or the later one its seller saw and wants to replace. All our forms send one:
 * without it the post counts as stale.
 */
export function formVersion(form: FormData): string {
  return String(form.get("over") ?? form.get("version") ?? "");
}

/** Gives "save mine over" the intent of its form's normal save, since it has none of its own. */
export function withIntent(form: FormData): FormData {
  const saves = form.get("saves");
  if (saves !== null && !form.has("intent")) form.set("intent", saves);
  return form;
}

/** Whether an action was refused because somebody saved in between. */
export function isStale(error: unknown): boolean {
  return error instanceof Refusal && error.code === STALE;
}

/**
 * The reply to a stale form: 409, the form as it was posted, and the differences. Fields in `secret` are never sent
 * back.
 */
export function conflictResponse<T>(
  submission: Submission<T, string[]>,
  form: FormData,
  { saved, version }: SavedState,
  labels: ComparedLabels,
  secret: string[] = [],
) {
  return data(conflictResult(submission, form, { saved, version }, labels, secret), { status: 409 });
}

/** The same for a page with its own form of reply. */
export function conflictResult<T>(
  submission: Submission<T, string[]>,
  form: FormData,
  { saved, version }: SavedState,
  labels: ComparedLabels,
  secret: string[] = [],
) {
  const conflict = { version, differences: differences(saved, form, labels, secret) };
  return { ...submission.reply({ hideFields: secret }), conflict };
}

function differences(saved: object, form: FormData, labels: ComparedLabels, secret: string[]) {
  const theirs = flattenFields(saved);
  const mine = new Map<string, string[]>();
  for (const [name, value] of form)
    if (typeof value === "string") mine.set(name, [...(mine.get(name) ?? []), value]);
  return [...new Set([...theirs.keys(), ...mine.keys()])].flatMap((name) => {
    const field = labelOf(name, labels);
    const sides = [theirs.get(name) ?? [], mine.get(name) ?? []] as const;
    const [theirText, myText] = sides.map(joinChoices);
    if (!field || theirText === myText || isDetailOfLoneRow(name, theirs, mine)) return [];
    const isSwitch = theirText === "on" || myText === "on";
    const [theirWords, myWords] = sides.map((values) => inWords(values, field, isSwitch));
    const isSecret = secret.includes(name);
    // A mask leaves the saved one, whichever it is.
    if (isSecret && isMask(myText!)) return [];
    const hidden = isSecret && myText !== "";
    return [{ label: field.label, saved: theirWords!, mine: hidden ? "o que você digitou" : myWords! }];
  });
}

/** A field's values as text for a seller. An unticked switch is not posted. */
function inWords(values: string[], { texts }: Field, isSwitch: boolean): string {
  if (isSwitch && values.length === 0) return formatValue(false);
  if (!texts) return formatValue(joinChoices(values));
  return formatValue(values.map((value) => pick(texts, value) ?? "removido").join(", "));
}

/** A row that only one side has is listed by its name alone. */
function isDetailOfLoneRow(name: string, theirs: Values, mine: Values): boolean {
  const row = /^(\w+\[\d+\])\.(\w+)$/.exec(name);
  if (!row || row[2] === "name") return false;
  const has = (side: Values) => side.has(`${row[1]}.name`);
  return has(theirs) !== has(mine);
}

type Field = { label: string; texts?: Record<string, string> };

function labelOf(name: string, labels: ComparedLabels): Field | undefined {
  const row = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(name);
  const found = pick(labels, row ? `${row[1]}.${row[3]}` : name);
  if (!found) return undefined;
  const field = typeof found === "string" ? { label: found } : found;
  return row ? { ...field, label: `${pick(labels, row[1]!)} ${Number(row[2]) + 1}, ${field.label}` } : field;
}

/** The values of fields by the names a form posts them under; an unticked checkbox is not posted. */
type Values = Map<string, string[]>;

function flattenFields(value: object, prefix = ""): Values {
  const found: Values = new Map();
  for (const [name, one] of Object.entries(value)) {
    if (Array.isArray(one) && one.some((row) => typeof row === "object"))
      for (const [at, row] of one.entries())
        for (const [key, values] of flattenFields(row, `${prefix}${name}[${at}].`)) found.set(key, values);
    else if (Array.isArray(one)) found.set(prefix + name, one.map(String));
    else if (one === true) found.set(prefix + name, ["on"]);
    else if (one !== false && one !== null && one !== undefined) found.set(prefix + name, [String(one)]);
  }
  return found;
}

/** Sorted: a form posts choices in the page's order, and rows hold them in another. */
function joinChoices(values: readonly string[]): string {
  return collapseSpaces(values.toSorted().join(", "));
}

function collapseSpaces(text = ""): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A value as text for a seller. */
export function formatValue(value: unknown): string {
  if (value === true || value === "on") return "ligado";
  if (value === false) return "desligado";
  const text = collapseSpaces(String(value));
  if (text === "") return "vazio";
  const moment = parseDateTimeField(text);
  if (moment) return formatDateTime(moment);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
