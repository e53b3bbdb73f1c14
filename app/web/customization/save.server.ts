import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import type { Customization } from "#app/domain/storefront/customizations.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { inWords, shownVersion } from "#app/web/conflict.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { settlePictures } from "#app/web/files/settle-pictures.server.ts";
import { parseForm, postedWithFiles } from "#app/web/forms.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";

const SAVED = "Configurações salvas com sucesso!";

/** How the screen of a customisation says what became of its form. */
type Screen = {
  /** `{error}` of the catalogue's server error: 'Erro: …'. */
  failed: (error: string) => string;
  page: (tab: string) => string;
};

/** What a customisation's screen shows of its seller's settings. */
export async function loadCustomization<T extends object>(of: Customization<T>, sellerId: string) {
  const { settings, version } = await of.find(sellerId);
  return { settings, version, removed: of.tidy(settings).removed };
}

/**
 * Saves what a customisation's form holds. Where all of it was kept the page is loaded anew; else the reply tells what was
 * not. A form that is wrong, or older than what is stored, comes back as it was posted.
 */
export async function saveCustomization<T extends object>(
  of: Customization<T>,
  { failed, page }: Screen,
  { request, sellerId }: { request: Request; sellerId: string },
) {
  const { form, files } = await postedWithFiles(request);
  const fieldErrors = await settlePictures(request, sellerId, form, files);
  const submission = parseForm(form, of.schema);
  if (submission.status !== "success" || Object.keys(fieldErrors).length > 0) {
    const formErrors = [failed("confira os campos marcados")];
    const result = submission.reply({ formErrors, fieldErrors });
    return data({ ...EMPTY, result }, { status: 400 });
  }
  try {
    const version = versionOf(form);
    const saved = await of.save(sellerId, { version, to: () => submission.value });
    if (Object.keys(saved.removed).length > 0)
      return data(
        { ...EMPTY, said: SAVED, removed: saved.removed, savedVersion: saved.version },
        { status: 200 },
      );
    return await redirectSaying(page(String(form.get("tab") ?? "")), SAVED);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "conflict")
      return data(await conflictReply(of, sellerId, submission), { status: 409 });
    const { status, message } = toFailure(error, request);
    const result = submission.reply({ formErrors: [failed(message)] });
    return data({ ...EMPTY, result }, { status });
  }
}

const EMPTY = { result: null, said: null, removed: null, conflict: null, savedVersion: null };

/** `shownVersion` as these settings count it: a text that is no version is never the one that stands. */
function versionOf(form: FormData): number {
  return Number.parseInt(shownVersion(form), 10);
}

/** What stands there now, against what was posted. */
async function conflictReply<T extends object>(
  of: Customization<T>,
  sellerId: string,
  submission: Submission<T, string[], T> & { status: "success" },
) {
  const { settings, version } = await of.find(sellerId);
  const mine = of.tidy(submission.value);
  const names = Object.keys(settings) as (keyof T)[];
  const differences = names
    .filter((name) => settings[name] !== mine.settings[name])
    .map((name) => ({
      label: of.labels[name],
      saved: inWords(settings[name]),
      mine: inWords(mine.settings[name]),
    }));
  return { ...EMPTY, result: submission.reply(), removed: mine.removed, conflict: { version, differences } };
}
