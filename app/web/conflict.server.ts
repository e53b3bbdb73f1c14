import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { STALE } from "#app/db/version.server.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What stands there now of what a form was about: its fields, as the page fills them, and their version. */
export type Stands = { saved: object; version: string };

/** The fields that may differ, by the name a seller knows them by. Those of a list's rows: `orderBumps.price`. */
type Labels = Record<string, string>;

/**
 * The version a form was filled from, or the one its seller has seen meanwhile and means to replace. Our forms all send
 * one: without it what was posted is as stale as can be.
 */
export function shownVersion(form: FormData): string {
  return String(form.get("over") ?? form.get("version") ?? "");
}

/** Gives "save mine over" the intent of its form's plain save, for it has none of its own. */
export function withIntent(form: FormData): FormData {
  const saves = form.get("saves");
  if (saves !== null && !form.has("intent")) form.set("intent", saves);
  return form;
}

/** Whether a verb refused because somebody saved in between. */
export function isStale(error: unknown): boolean {
  return error instanceof Refusal && error.code === STALE;
}

/**
 * The reply to a form that is older than what is stored: 409, as it was posted, with what differs. What `secret` names is
 * never sent back.
 */
export function conflictOf<T>(
  submission: Submission<T, string[]>,
  form: FormData,
  { saved, version }: Stands,
  labels: Labels,
  secret: string[] = [],
) {
  return data(conflictResult(submission, form, { saved, version }, labels, secret), { status: 409 });
}

/** The same for a page whose replies have a shape of their own. */
export function conflictResult<T>(
  submission: Submission<T, string[]>,
  form: FormData,
  { saved, version }: Stands,
  labels: Labels,
  secret: string[] = [],
) {
  const conflict = { version, differences: differences(saved, form, labels, secret) };
  return { ...submission.reply({ hideFields: secret }), conflict };
}

function differences(saved: object, form: FormData, labels: Labels, secret: string[]) {
  const theirs = flat(saved);
  const mine = new Map<string, string>();
  for (const [name, value] of form)
    if (typeof value === "string") mine.set(name, mine.has(name) ? `${mine.get(name)}, ${value}` : value);
  return [...new Set([...theirs.keys(), ...mine.keys()])].flatMap((name) => {
    const label = labelOf(name, labels);
    const [theirText, myText] = [tidy(theirs.get(name)), tidy(mine.get(name))];
    if (!label || theirText === myText || isRestOfLoneRow(name, theirs, mine)) return [];
    const hidden = secret.includes(name) && myText !== "";
    return [{ label, saved: inWords(theirText), mine: hidden ? "o que você digitou" : inWords(myText) }];
  });
}

/** A row that only one side has is told by its name alone. */
function isRestOfLoneRow(name: string, theirs: Map<string, string>, mine: Map<string, string>): boolean {
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

/** Fields by the names a form posts them under; a box that is not ticked is not posted. */
function flat(value: object, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, one] of Object.entries(value)) {
    if (Array.isArray(one) && one.some((row) => typeof row === "object"))
      for (const [at, row] of one.entries())
        for (const [key, text] of flat(row, `${prefix}${name}[${at}].`)) found.set(key, text);
    else if (one === true) found.set(prefix + name, "on");
    else if (one !== false && one !== null && one !== undefined) found.set(prefix + name, String(one));
  }
  return found;
}

function tidy(text = ""): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A value as a seller reads it. */
export function inWords(value: unknown): string {
  if (value === true || value === "on") return "ligado";
  if (value === false) return "desligado";
  const text = tidy(String(value));
  if (text === "") return "vazio";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
