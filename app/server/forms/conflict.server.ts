import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { STALE } from "#app/db/version.server.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** The stored state of a form's subject: its fields, as the page fills them, and their version. */
export type SavedState = { saved: object; version: string };

/** The fields that are compared, with the names a seller knows. Those of a list's rows: `orderBumps.price`. */
type Labels = Record<string, string>;

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
  labels: Labels,
  secret: string[] = [],
) {
  return data(conflictResult(submission, form, { saved, version }, labels, secret), { status: 409 });
}

/** The same for a page with its own form of reply. */
export function conflictResult<T>(
  submission: Submission<T, string[]>,
  form: FormData,
  { saved, version }: SavedState,
  labels: Labels,
  secret: string[] = [],
) {
  const conflict = { version, differences: differences(saved, form, labels, secret) };
  return { ...submission.reply({ hideFields: secret }), conflict };
}

function differences(saved: object, form: FormData, labels: Labels, secret: string[]) {
  const theirs = flattenFields(saved);
  const posted = new Map<string, string[]>();
  for (const [name, value] of form)
    if (typeof value === "string") posted.set(name, [...(posted.get(name) ?? []), value]);
  const mine = new Map([...posted].map(([name, values]) => [name, joinChoices(values)]));
  return [...new Set([...theirs.keys(), ...mine.keys()])].flatMap((name) => {
    const label = labelOf(name, labels);
    const [theirText, myText] = [collapseSpaces(theirs.get(name)), collapseSpaces(mine.get(name))];
    if (!label || theirText === myText || isDetailOfLoneRow(name, theirs, mine)) return [];
    const hidden = secret.includes(name) && myText !== "";
    return [
      { label, saved: formatValue(theirText), mine: hidden ? "o que você digitou" : formatValue(myText) },
    ];
  });
}

/** A row that only one side has is listed by its name alone. */
function isDetailOfLoneRow(name: string, theirs: Map<string, string>, mine: Map<string, string>): boolean {
  const row = /^(\w+\[\d+\])\.(\w+)$/.exec(name);
  if (!row || row[2] === "name") return false;
  const has = (side: Map<string, string>) => side.has(`${row[1]}.name`);
  return has(theirs) !== has(mine);
}

function labelOf(name: string, labels: Labels): string | undefined {
  const row = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(name);
  if (!row) return pick(labels, name);
  const [, list, at, field] = row;
  const [listLabel, label] = [pick(labels, list!), pick(labels, `${list}.${field}`)];
  return label && `${listLabel} ${Number(at) + 1}, ${label}`;
}

/** Fields by the names a form posts them under; an unticked checkbox is not posted. */
function flattenFields(value: object, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, one] of Object.entries(value)) {
    if (Array.isArray(one) && one.some((row) => typeof row === "object"))
      for (const [at, row] of one.entries())
        for (const [key, text] of flattenFields(row, `${prefix}${name}[${at}].`)) found.set(key, text);
    else if (Array.isArray(one)) found.set(prefix + name, joinChoices(one.map(String)));
    else if (one === true) found.set(prefix + name, "on");
    else if (one !== false && one !== null && one !== undefined) found.set(prefix + name, String(one));
  }
  return found;
}

/** The chosen values of one field. Sorted: a form posts them in the page's order, and rows hold them in another. */
function joinChoices(values: string[]): string {
  return values.toSorted().join(", ");
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
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
