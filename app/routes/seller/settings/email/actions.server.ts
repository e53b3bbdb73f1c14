import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { z } from "zod";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { type NewResendKey, UNCONFIRMED_KEY_TEXT } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { saveHookSecret } from "#app/domain/mail/resend/save-hook-secret.server.ts";
import { removeResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { loadMailSettings, saveMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import type { TestMailResult } from "#app/domain/mail/sending/send-test-mail.server.ts";
import { createDomain } from "#app/domain/mail/sending-domain/create-domain.server.ts";
import { domainForm, newDomainForm } from "#app/domain/mail/sending-domain/domain-form.server.ts";
import { removeDomain, saveDomain } from "#app/domain/mail/sending-domain/save-domain.server.ts";
import { verifyDomain } from "#app/domain/mail/sending-domain/verify-domain.server.ts";
import { appendAccessButton, hasAccessLink } from "#app/domain/mail/template/access-button.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { previewTemplate, type TemplatePreview } from "#app/domain/mail/template/preview-template.server.ts";
import { resetTemplate } from "#app/domain/mail/template/save-template.server.ts";
import { pageTemplateForm, toTemplate, withEditor } from "#app/domain/mail/template/template-form.server.ts";
import { remindersForm } from "#app/domain/reminder/schedule/reminders-form.server.ts";
import { saveReminderTimes } from "#app/domain/reminder/schedule/save-reminder-times.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";
import {
  changesSender,
  DOMAIN,
  type Form,
  masked,
  NEW_DOMAIN,
  REMINDERS,
  TEMPLATE,
} from "#app/routes/seller/settings/email/saving-forms.server.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { sendLimitedTestMail } from "#app/server/forms/send-limited-test-mail.server.ts";
import { limitPreviews, renderQueuedPreview } from "#app/server/limits/limit-previews.server.ts";
import { checkLimitedKey, limitResendCalls } from "#app/server/limits/limit-resend-calls.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

type Posted = { seller: SignedIn; form: FormData; request: Request };

/** The reply of the page's actions that do not redirect. */
type Reply = {
  result?: FormReply;
  preview?: TemplatePreview;
  test?: TestMailResult;
  noAccess?: boolean;
  /** What was done, beside a form that was not saved. */
  done?: string;
};

const KEY = z.object({ resend_api_key: z.string().default("") });
const TEST = z.object({ test_email: z.string().default("") });
const WRITTEN_TEST = pageTemplateForm.and(TEST);
const HOOK = z.object({ hook_secret: z.string().default("") });
const NOTHING = z.object({});

/** Runs the action of a button of the e-mail settings. */
export async function runEmailAction(posted: Posted) {
  const action = pick(EMAIL_ACTIONS, String(posted.form.get("intent")));
  if (!action) throw new Response("Ação desconhecida", { status: 400 });
  return orRefusedPage(posted.request, action({ ...posted, form: withEditor(posted.form) }));
}

/** The action of each button of the e-mail settings. */
export const EMAIL_ACTIONS: Record<string, (posted: Posted) => Promise<Response | ReturnType<typeof reply>>> =
  {
    save: async (posted) => (await confirmWithoutAccess(posted)) ?? saveAll(posted),
    "add-access": (posted) => {
      const { form } = posted;
      form.set("html_content", appendAccessButton(String(form.get("html_content") ?? "")));
      // The reply belongs to the same form as a save.
      form.set("intent", "save");
      return saveAll(posted);
    },
    preview: (posted) =>
      run(posted, pageTemplateForm, { failed: "Erro na prévia: " }, async (fields, result) => {
        await limitPreviews(posted.request, posted.seller.id);
        const brand = await findBrand(posted.seller.id);
        const preview = await renderQueuedPreview(() => previewTemplate(toTemplate(fields), brand));
        return reply({ result, preview });
      }),
    reset: async (posted) => {
      const { seller, request } = posted;
      // The default mail has no custom sender address.
      if (await changesSender(seller.id, "")) await requireRecentSignIn(posted, "mail-sender");
      await resetTemplate(seller.id, requestOrigin(request, seller));
      return redirectWithMessage(paths.emailSettings(), "O modelo padrão voltou a valer.");
    },
    "remove-key": removeKey,
    reminders: (posted) =>
      run(posted, remindersForm, REMINDERS, async (minutes) => {
        await saveReminderTimes(posted.seller.id, minutes, formVersion(posted.form));
        return redirectWithMessage(paths.emailSettings(), "Lembretes salvos com sucesso!");
      }),
    test: (posted) => {
      const send = async (to: string, result: FormReply, template?: Template) =>
        reply({
          result,
          test: await sendLimitedTestMail(posted.request, posted.seller, {
            to,
            ...(template ? { template } : {}),
          }),
        });
      // Without a template in the form, the saved one is used.
      return posted.form.has("html_content")
        ? run(posted, WRITTEN_TEST, { failed: "" }, ({ test_email, ...fields }, result) =>
            send(test_email, result, toTemplate(fields)),
          )
        : run(posted, TEST, { failed: "" }, ({ test_email }, result) => send(test_email, result));
    },
    "create-domain": (posted) =>
      run(posted, newDomainForm, NEW_DOMAIN, async ({ domain_name }) => {
        await requireRecentSignIn(posted, "mail-domain");
        const origin = requestOrigin(posted.request, posted.seller);
        await limitResendCalls(posted.request, posted.seller.id);
        await createDomain(posted.seller.id, domain_name, origin, formVersion(posted.form));
        return redirectWithMessage(
          paths.emailSettings("domain"),
          "Domínio criado. Copie os registros para o seu DNS e verifique.",
        );
      }),
    "verify-domain": (posted) =>
      run(posted, NOTHING, { failed: "Erro ao verificar domínio: " }, async () => {
        await limitResendCalls(posted.request, posted.seller.id);
        await verifyDomain(posted.seller.id);
        return redirectWithMessage(paths.emailSettings("domain"), "Verificação pedida ao Resend.");
      }),
    "save-domain": (posted) =>
      run(posted, domainForm, DOMAIN, async (fields) => {
        await requireRecentSignIn(posted, "mail-domain");
        const { seller, form, request } = posted;
        await saveDomain(seller.id, fields, requestOrigin(request, seller), formVersion(form));
        return redirectWithMessage(
          paths.emailSettings("domain"),
          "Configurações de domínio salvas com sucesso!",
        );
      }),
    "remove-domain": (posted) =>
      run(posted, NOTHING, { failed: "Erro ao remover domínio: " }, async () => {
        await requireRecentSignIn(posted, "mail-domain");
        const { seller, form, request } = posted;
        await removeDomain(seller.id, requestOrigin(request, seller), formVersion(form));
        return redirectWithMessage(paths.emailSettings("domain"), "Domínio removido daqui.");
      }),
    "hook-secret": (posted) =>
      run(posted, HOOK, { failed: "Erro ao salvar segredo: " }, async ({ hook_secret }) => {
        await requireRecentSignIn(posted, "mail-hook");
        await saveHookSecret(posted.seller.id, hook_secret, requestOrigin(posted.request, posted.seller));
        return redirectWithMessage(paths.emailSettings("domain"), "Segredo do webhook salvo.");
      }),
  };

/** Its button sends the template, too: one that was typed and not saved is sent back, after a new sign-in as well. */
async function removeKey({ seller, form, request }: Posted) {
  await requireRecentSignIn({ seller, form, request }, "mail-key");
  const { shown, version } = await loadMailSettings(seller.id);
  await removeResendKey(seller.id, requestOrigin(request, seller));
  const done = "Chave removida: os e-mails saem pela plataforma.";
  // Browsers end a text's lines with CRLF.
  const typed = (name: string) => String(form.get(name)).replace(/\r\n?/g, "\n");
  const isTyped = Object.entries(shown).some(
    ([name, saved]) => name !== "resend_api_key" && form.has(name) && typed(name) !== saved,
  );
  if (!isTyped) return redirectWithMessage(paths.emailSettings(), done);
  form.set("intent", "save");
  // The removal alone makes no form stale.
  if (form.get("version") === version) form.set("version", (await loadMailSettings(seller.id)).version);
  const { initialValue } = parseForm(form, pageTemplateForm).reply();
  return reply({ result: await masked(seller.id, { initialValue: initialValue ?? {} }, form), done });
}

/** A template without a link to the purchase is saved only at the second attempt; the form then carries a confirmation. */
async function confirmWithoutAccess(posted: Posted) {
  if (posted.form.get("editor") === "simple") return null;
  const html = String(posted.form.get("html_content") ?? "");
  if (html.trim() === "" || hasAccessLink(html) || posted.form.has("without_access")) return null;
  return run(posted, pageTemplateForm, TEMPLATE, async (_, result) => reply({ result, noAccess: true }, 400));
}

/** The key is checked first; if it is refused, the template is not changed. */
async function saveAll(posted: Posted) {
  const from = requestOrigin(posted.request, posted.seller);
  const typed = (name: string) => String(posted.form.get(name) ?? "").trim();
  const key = typed("resend_api_key");
  if (key !== "" && !isMask(key)) await requireRecentSignIn(posted, "mail-key");
  if (await changesSender(posted.seller.id, typed("sender_email")))
    await requireRecentSignIn(posted, "mail-sender");
  let fresh: NewResendKey | null = null;
  const refusal = await run(posted, KEY, { failed: "Erro ao salvar chave API: " }, async (typed) => {
    fresh = await checkLimitedKey(posted.request, posted.seller.id, typed.resend_api_key);
    return null;
  });
  if (refusal) return refusal;
  return run(posted, pageTemplateForm, TEMPLATE, async (fields) => {
    const mail = { key: fresh, update: () => toTemplate(fields) };
    await saveMailSettings(posted.seller.id, mail, from, formVersion(posted.form));
    const message = "Configurações de email salvas com sucesso!";
    return redirectWithMessage(
      paths.emailSettings(),
      fresh?.isConfirmed === false ? message + UNCONFIRMED_KEY_TEXT : message,
    );
  }) as Promise<Response>;
}

/** Parses a form and runs `work`; errors of either are shown above the form and at its fields. */
async function run<T extends z.ZodType, R>(
  { form, request, seller }: Posted,
  schema: T,
  { failed, conflict }: Form,
  work: (value: z.output<T>, result: FormReply) => Promise<R>,
) {
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return refused(submission, { seller, form, request }, failed);
  try {
    return await work(submission.value as z.output<T>, await masked(seller.id, submission.reply(), form));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (conflict && isStale(error)) {
      const current = await conflict.loadSaved(seller.id);
      const result = conflictResult(submission, form, current, conflict.labels, conflict.secret);
      return reply({ result: await masked(seller.id, result, form) }, 409);
    }
    const failure = toFailure(error, request);
    const { status, message, field } = failure;
    const result = submission.reply({
      formErrors: [failed + message],
      ...(field ? { fieldErrors: { [field]: [message] } } : {}),
    });
    return reply({ result: await masked(seller.id, result, form) }, status, retryHeaders(failure));
  }
}

async function refused<T>(submission: Submission<T, string[]>, posted: Posted, prefix: string) {
  const result = await masked(posted.seller.id, submission.reply(), posted.form);
  const first = Object.values(result.error ?? {}).find((messages) => messages?.length)?.[0] ?? "";
  return reply({ result: { ...result, error: { ...result.error, "": [prefix + first] } } }, 400);
}

function reply(body: Reply, status = 200, headers: Record<string, string> = {}) {
  return data(body, { status, headers });
}
