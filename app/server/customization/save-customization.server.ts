import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import type { Customization } from "#app/domain/storefront/customizations.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { formatValue, formVersion } from "#app/server/forms/conflict.server.ts";
import { parseForm, readPostedFiles } from "#app/server/forms/forms.server.ts";
import { resolvePictures } from "#app/server/forms/resolve-pictures.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";

const CHECK_FIELDS = "confira os campos marcados";
const SAVED = "Configurações salvas com sucesso!";

/** Messages of a customization's screen after a save. */
type Screen = {
  /** `{error}` of the server error message: 'Erro: …'. */
  failed: (error: string) => string;
  page: (tab: string) => string;
};

/** The data of a customization's screen. */
export async function loadCustomization<T extends object>(customization: Customization<T>, sellerId: string) {
  const { settings, version } = await customization.find(sellerId);
  return { settings, version, removed: customization.tidy(settings).removed };
}

/**
 * Saves a customization's form. If everything was stored the page is reloaded; else the reply lists what was removed.
 * An invalid or stale form is returned as it was posted.
 */
export async function saveCustomization<T extends object>(
  customization: Customization<T>,
  { failed, page }: Screen,
  { request, sellerId }: { request: Request; sellerId: string },
) {
  const { form, files } = await readPostedFiles(request);
  const fieldErrors = await resolvePictures(request, sellerId, form, files);
  const submission = parseForm(form, customization.schema);
  if (submission.status !== "success" || Object.keys(fieldErrors).length > 0) {
    const formErrors = [failed(CHECK_FIELDS)];
    const result = submission.reply({ formErrors, fieldErrors });
    return data({ ...EMPTY, result }, { status: 400 });
  }
  try {
    const version = versionOf(form);
    const saved = await customization.save(sellerId, { version, update: () => submission.value });
    if (Object.keys(saved.removed).length > 0)
      return data(
        { ...EMPTY, message: SAVED, removed: saved.removed, savedVersion: saved.version },
        { status: 200 },
      );
    return await redirectWithMessage(page(String(form.get("tab") ?? "")), SAVED);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "conflict")
      return data(await conflictReply(customization, sellerId, submission), { status: 409 });
    const { status, message } = toFailure(error, request);
    const field = error instanceof Refusal ? error.field : undefined;
    const result = submission.reply({
      formErrors: [failed(field ? CHECK_FIELDS : message)],
      fieldErrors: field ? { [field]: [message] } : {},
    });
    return data({ ...EMPTY, result }, { status });
  }
}

const EMPTY = { result: null, message: null, removed: null, conflict: null, savedVersion: null };

/** The version that the form shows, as a number; invalid text never equals the current version. */
function versionOf(form: FormData): number {
  return Number.parseInt(formVersion(form), 10);
}

/** The reply to a stale form: the stored values against the posted ones. */
async function conflictReply<T extends object>(
  customization: Customization<T>,
  sellerId: string,
  submission: Submission<T, string[], T> & { status: "success" },
) {
  const { settings, version } = await customization.find(sellerId);
  const mine = customization.tidy(submission.value);
  const names = Object.keys(settings) as (keyof T)[];
  const differences = names
    .filter((name) => settings[name] !== mine.settings[name])
    .map((name) => ({
      label: customization.labels[name],
      saved: formatValue(settings[name]),
      mine: formatValue(mine.settings[name]),
    }));
  return { ...EMPTY, result: submission.reply(), removed: mine.removed, conflict: { version, differences } };
}
