import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { z } from "zod";
import { FORM_FILE } from "#app/domain/content/limits.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { cleanForm, notOurs } from "#app/web/door/clean-form.server.ts";
import { readWhole, STRANGERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { refuseRepeats, SELLERS_REPEATS, STRANGERS_REPEATS } from "#app/web/limits/refuse-repeats.server.ts";
import { orRefuse } from "#app/web/pages.server.ts";
import { sayIssue } from "#app/web/say-issue.server.ts";
import { currentSeller } from "#app/web/session/guards.server.ts";
import { RESUME, readInterrupted } from "#app/web/session/interrupted-form.server.ts";

/** A posted form by its schema: `value` where it fits, else `submission` for `badForm`. */
export async function readForm<T extends z.ZodType>(request: Request, schema: T) {
  return parseForm(await postedForm(request), schema);
}

/**
 * What a form posted, of `max` bytes at most, cleaned (`cleanForm`).
 * @throws Response 413 where it is longer; 400 where the body is no form: what a program sends, never a page
 */
export async function postedForm(request: Request, max = STRANGERS_BODY): Promise<FormData> {
  const repeats = max > STRANGERS_BODY ? SELLERS_REPEATS : STRANGERS_REPEATS;
  return orRefuse(
    request,
    readWhole(request, max)
      .then((whole) => formOf(whole, repeats))
      .then((form) => orInterrupted(request, form)),
  );
}

/** The form that a press stands for which goes on with one that was interrupted; any other as it is. @throws Refusal conflict */
async function orInterrupted(request: Request, form: FormData): Promise<FormData> {
  const id = form.get(RESUME);
  if (id === null) return form;
  return readInterrupted(request, (await currentSeller(request))?.id ?? "", String(id));
}

/**
 * What a form posted that may carry files, of `FORM_FILE` bytes in all and what it weighs beside them: for browsers without
 * a script, since all of it is in memory meanwhile. A field of files that was left empty has none.
 * @throws Response 413, 400 as above
 */
export async function postedWithFiles(
  request: Request,
): Promise<{ form: FormData; files: Map<string, File> }> {
  const read = async () => {
    const whole = await readWhole(request, FORM_FILE + FORM_OVERHEAD);
    const posted = refuseRepeats(await formIn(whole), SELLERS_REPEATS);
    const files = [...posted].flatMap(([name, value]): [string, File][] =>
      value instanceof File && value.name !== "" ? [[name, value]] : [],
    );
    return { form: await orInterrupted(request, cleanForm(posted)), files: new Map(files) };
  };
  return orRefuse(request, read());
}

/** What a form weighs beside its files. */
const FORM_OVERHEAD = 256 * 1024;

/** The same of a request that was read already, as a buyer's page gets it. @throws Refusal invalid, too-large */
export async function formOf(request: Request, repeats = STRANGERS_REPEATS): Promise<FormData> {
  return cleanForm(refuseRepeats(await formIn(request), repeats));
}

async function formIn(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    throw error instanceof TypeError ? notOurs() : error;
  }
}

/** The same for a form that was read already (to look at its `intent`). */
export function parseForm<T extends z.ZodType>(form: FormData, schema: T) {
  return parseWithZod(form, { schema, error: sayIssue });
}

/** The reply to a form that does not fit its schema: 400, fields kept, every message at its field; `fieldErrors` are others. */
export function badForm<T, V>(
  submission: Submission<T, string[], V>,
  fieldErrors: Record<string, string[]> = {},
) {
  const hideFields = passwords(submission);
  return data(submission.reply({ hideFields, fieldErrors }), { status: 400 });
}

/**
 * The reply to a form whose verb said no: the refusal's status, its message at its field or above the form.
 * @throws what is no refusal
 */
export function refusedForm<T>(submission: Submission<T, string[]>, error: unknown, request: Request) {
  if (!(error instanceof Refusal)) throw error;
  const failure = toFailure(error, request);
  const { status, message, field } = failure;
  const reply = submission.reply({
    hideFields: passwords(submission),
    ...(field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] }),
  });
  return data(reply, { status, headers: retryHeaders(failure) });
}

/** A reply carries what was typed, to fill the form again; passwords do not travel back. */
function passwords({ payload }: { payload: Record<string, unknown> }): string[] {
  return Object.keys(payload).filter((name) => /password/i.test(name));
}
