import type { Submission } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { z } from "zod";
import { MAX_FORM_FILE_BYTES } from "#app/domain/content/limits.ts";
import {
  cleanForm,
  foreignForm,
  MAX_PUBLIC_REPEATS,
  MAX_SELLER_REPEATS,
  refuseRepeatedFields,
} from "#app/server/forms/clean-form.server.ts";
import { reportIssue } from "#app/server/forms/report-issue.server.ts";
import { bufferRequest, MAX_PUBLIC_BODY } from "#app/server/request/read-bytes.server.ts";
import { retryHeaders, toRefusalFailure } from "#app/server/response/failure.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { currentSeller, refuseOtherAccount } from "#app/server/session/guards.server.ts";
import { RESUME_FIELD, readInterrupted } from "#app/server/session/interrupted-form.server.ts";

/** Validates a posted form: `value` if it fits the schema, else `submission` for `invalidForm`. */
export async function readForm<T extends z.ZodType>(request: Request, schema: T) {
  return parseForm(await readPostedForm(request), schema);
}

/**
 * A posted form of at most `max` bytes, cleaned (`cleanForm`).
 * @throws Response 413 if it is longer; 400 if the body is no form, as only programs send
 */
export async function readPostedForm(request: Request, max = MAX_PUBLIC_BODY): Promise<FormData> {
  const repeats = max > MAX_PUBLIC_BODY ? MAX_SELLER_REPEATS : MAX_PUBLIC_REPEATS;
  return orRefusedPage(
    request,
    bufferRequest(request, max)
      .then(readFormData)
      .then((posted) => finishReading(request, refuseRepeatedFields(posted, repeats))),
  );
}

async function finishReading(request: Request, posted: FormData): Promise<FormData> {
  await refuseOtherAccount(request, posted);
  return resumeInterrupted(request, cleanForm(posted));
}

/** The interrupted form that this one resumes; any other form unchanged. @throws Refusal conflict */
async function resumeInterrupted(request: Request, form: FormData): Promise<FormData> {
  const id = form.get(RESUME_FIELD);
  if (id === null) return form;
  return readInterrupted(request, (await currentSeller(request))?.id ?? "", String(id));
}

/**
 * A posted form with files, of at most `MAX_FORM_FILE_BYTES` of files and an allowance for the other fields: for
 * browsers without scripts, since all of it is in memory meanwhile. Empty file fields are removed.
 * @throws Response 413, 400 as above
 */
export async function readPostedFiles(
  request: Request,
): Promise<{ form: FormData; files: Map<string, File> }> {
  const read = async () => {
    const buffered = await bufferRequest(request, MAX_FORM_FILE_BYTES + FORM_OVERHEAD);
    const posted = refuseRepeatedFields(await readFormData(buffered), MAX_SELLER_REPEATS);
    const files = [...posted].flatMap(([name, value]): [string, File][] =>
      value instanceof File && value.name !== "" ? [[name, value]] : [],
    );
    return { form: await finishReading(request, posted), files: new Map(files) };
  };
  return orRefusedPage(request, read());
}

/** What a form may hold besides its files, in bytes. */
const FORM_OVERHEAD = 256 * 1024;

/** The same for a request that was buffered already, as buyer pages are. @throws Refusal invalid, too-large */
export async function parseFormData(request: Request, repeats = MAX_PUBLIC_REPEATS): Promise<FormData> {
  return cleanForm(refuseRepeatedFields(await readFormData(request), repeats));
}

async function readFormData(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    throw error instanceof TypeError ? foreignForm() : error;
  }
}

/** The same for a form that was read already (for example, to check its `intent`). */
export function parseForm<T extends z.ZodType>(form: FormData, schema: T) {
  return parseWithZod(form, { schema, error: reportIssue });
}

/** The reply to an invalid form: 400, its fields, and every message at its field; `fieldErrors` are added. */
export function invalidForm<T, V>(
  submission: Submission<T, string[], V>,
  fieldErrors: Record<string, string[]> = {},
) {
  const hideFields = passwordFields(submission);
  return data(submission.reply({ hideFields, fieldErrors }), { status: 400 });
}

/**
 * The reply to a form whose action was refused: the refusal's status, its message at its field or above the form.
 * @throws the error if it is no refusal
 */
export function refusedForm<T>(submission: Submission<T, string[]>, error: unknown, request: Request) {
  const failure = toRefusalFailure(error, request);
  const { status, message, field } = failure;
  const reply = submission.reply({
    hideFields: passwordFields(submission),
    ...(field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] }),
  });
  return data(reply, { status, headers: retryHeaders(failure) });
}

/** Replies contain the typed fields, to fill the form again, but never passwords. */
function passwordFields({ payload }: { payload: Record<string, unknown> }): string[] {
  return Object.keys(payload).filter((name) => /password/i.test(name));
}
