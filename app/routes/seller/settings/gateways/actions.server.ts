import { data } from "@remix-run/node";
import { z } from "zod";
import { versionOf } from "#app/db/version.server.ts";
import { describeUntested, listTypedKeys } from "#app/domain/gateway/check-payment-keys.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { type GatewaysForm, gatewaysPageForm } from "#app/domain/gateway/gateways-form.server.ts";
import { nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { gatewaysVersion, saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { type Gateways, showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { UNCONFIRMED_KEY_TEXT } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { describeTestMailAccount } from "#app/domain/mail/sending/describe-test-mail-account.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask } from "#app/platform/secrets.server.ts";
import type { RemovedKey } from "#app/routes/seller/settings/gateways/gateways.tsx";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { sendLimitedTestMail } from "#app/server/forms/send-limited-test-mail.server.ts";
import { maskTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { limitKeyCheck } from "#app/server/limits/limit-resend-calls.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toRefusalFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

type Posted = { seller: SignedIn; form: FormData; request: Request };

const SAVED = "Configurações salvas com sucesso!";

/** The gateways tab's reply: a test's result at its card, and the form if it was refused. */
function reply(
  intent: string,
  testResult: { success: boolean; message: string } | null,
  result: FormReply | null,
  status: number,
  removes: RemovedKey | null = null,
) {
  return data({ gateways: { intent, testResult, result, removes } }, status);
}

export async function postGateways({ seller, form, request }: Posted) {
  const submission = parseForm(form, gatewaysPageForm());
  if (submission.status !== "success") {
    const errors = Object.values(submission.error ?? {}).flat();
    const formErrors = [`Erro ao salvar configurações: ${errors[0] ?? "formulário inválido"}`];
    return reply("gateways", null, await withMasks(seller.id, submission.reply({ formErrors }), form), 400);
  }
  const saved = await showGateways(seller.id);
  const typed = withAnswer(form, submission.value, saved);
  const asked = findRemovedKey(saved, typed, form.getAll("remove_key"));
  if (asked) {
    const result = await withMasks(seller.id, submission.reply(), form);
    const answers = ANSWERS.flatMap((answer) =>
      form.getAll(answer).map((name) => ({ answer, name: String(name) })),
    );
    return reply("gateways", null, result, 409, { ...asked, answers });
  }
  await requireRecentSignIn({ seller, form, request }, "payment-keys");
  let untested: string[];
  try {
    if (listTypedKeys(typed).length > 0) await throttle("outside-call", request, seller.id);
    untested = await saveGateways(seller.id, typed, requestOrigin(request, seller), formVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const stored = await showGateways(seller.id);
      const current = { saved: stored, version: gatewaysVersion(stored) };
      const [labels, keys] = [gatewayLabels(), secretFields()];
      const result = conflictResult(submission, form, current, labels, keys);
      return reply("gateways", null, await withMasks(seller.id, result, form), 409);
    }
    const { message, status } = toRefusalFailure(error, request);
    const formErrors = [`Erro ao salvar configurações: ${message}`];
    const field = error instanceof Refusal ? error.field : undefined;
    const fieldErrors = field ? { [field]: [message] } : {};
    const result = await withMasks(seller.id, submission.reply({ formErrors, fieldErrors }), form);
    return reply("gateways", null, result, status);
  }
  return redirectWithMessage(paths.settings("gateways"), SAVED + describeUntested(untested));
}

const ANSWERS = ["remove_key", "keep_key"] as const;

/**
 * The form with the answers to whether cleared keys are removed, or kept: the mask leaves the saved one. A key that was typed
 * since counts.
 */
function withAnswer(form: FormData, typed: GatewaysForm, saved: Gateways): GatewaysForm {
  const answers = new Map<string, GatewaysForm[string]>();
  for (const { name, keys } of connectableAccounts()) {
    const field = apiKeyField(keys);
    if (!field || (pick(typed, field) !== "" && pick(typed, field) !== pick(saved, field))) continue;
    if (form.getAll("keep_key").includes(name)) answers.set(field, pick(saved, field));
    if (form.getAll("remove_key").includes(name)) answers.set(field, "");
  }
  return { ...typed, ...Object.fromEntries(answers) };
}

/** The first account whose key was cleared, which stops the shop from selling, and not `confirmed` by its name. */
function findRemovedKey(saved: Gateways, typed: GatewaysForm, confirmed: FormDataEntryValue[]) {
  for (const { name, charges, keys } of connectableAccounts()) {
    const field = apiKeyField(keys) ?? "";
    if (charges && pick(saved, field) && pick(typed, field) === "" && !confirmed.includes(name))
      return { name, of: nameWithArticle(charges, "d") };
  }
  return null;
}

function apiKeyField(keys: ReturnType<typeof connectableAccounts>[number]["keys"]) {
  return keys.find(({ storedAs: holds }) => holds === "apiKey")?.field;
}

export async function postWebhookTest({ seller, form, request }: Posted) {
  const intent = String(form.get("intent"));
  const account = connectableAccounts().find(({ name }) => name === intent.split(":")[1]);
  const keyField = (account && apiKeyField(account.keys)) ?? "";
  // Without JavaScript the page is a new one: it shows what was typed, and no errors of a form that was not saved.
  const { initialValue } = parseForm(form, gatewaysPageForm()).reply();
  const result = await withMasks(seller.id, initialValue ? { initialValue } : {}, form);
  try {
    await throttle("outside-call", request, seller.id);
    const typed = cleanPasted(String(form.get(keyField) ?? ""));
    const message = await testWebhook(seller.id, account?.name ?? "", typed);
    return reply(intent, { success: true, message }, result, 200);
  } catch (error) {
    const { message, status } = toRefusalFailure(error, request);
    return reply(intent, { success: false, message }, result, status);
  }
}

export async function postResendKey({ seller, form, request }: Posted) {
  await requireRecentSignIn({ seller, form, request }, "mail-key");
  try {
    const key = cleanPasted(String(form.get("resend_api_key") ?? ""));
    if (key === "" && (await maskedResendKey(seller.id)) !== "") throw new Refusal("invalid", KEY_STAYS);
    await limitKeyCheck(request, seller.id, key);
    const fresh = await saveResendKey(seller.id, key, requestOrigin(request, seller), formVersion(form));
    return await redirectWithMessage(
      paths.settings("gateways"),
      fresh && !fresh.isConfirmed ? SAVED + UNCONFIRMED_KEY_TEXT : SAVED,
    );
  } catch (error) {
    const submission = parseForm(form, RESEND_KEY);
    if (isStale(error)) {
      const saved = { resend_api_key: await maskedResendKey(seller.id) };
      const current = { saved, version: versionOf(saved.resend_api_key) };
      const labels = { resend_api_key: "Chave do Resend" };
      const result = conflictResult(submission, form, current, labels, SECRET);
      return reply("resend-key", null, maskTypedSecrets(seller.id, result, form, SECRET), 409);
    }
    const { message, status } = toRefusalFailure(error, request);
    const formErrors = [`Erro ao salvar configurações: ${message}`];
    const result = submission.reply({ formErrors, hideFields: SECRET });
    return reply("resend-key", null, maskTypedSecrets(seller.id, result, form, SECRET), status);
  }
}

export async function postTestMail({ seller, form, request }: Posted) {
  const to = String(form.get("test_email") ?? "").trim();
  // Without JavaScript the page is a new one: it shows what was typed.
  const typed: FormReply = { initialValue: { test_email: to } };
  try {
    const { success, message, via } = await sendLimitedTestMail(request, seller, { to });
    const recipient = success ? ` Destinatário: ${to.toLowerCase()}.` : "";
    const text = `${message}${recipient} ${describeTestMailAccount(via)}`;
    return reply("test-email", { success, message: text }, typed, 200);
  } catch (error) {
    const { message, status } = toRefusalFailure(error, request);
    const isField = error instanceof Refusal && error.field === "test_email";
    const result = isField ? { ...typed, error: { test_email: [message] } } : typed;
    return reply("test-email", { success: false, message }, result, status);
  }
}

/** An emptied field removes no key: the template's form has it, too. */
const KEY_STAYS = "a chave continua a mesma. Para removê-la, use “Remover chave” em Configurar e-mail.";
const RESEND_KEY = z.object({ resend_api_key: z.string().default("") });
const SECRET = ["resend_api_key"];

function secretFields(): string[] {
  return connectableAccounts().flatMap(({ keys }) =>
    keys.flatMap(({ field, isSecret }) => (isSecret ? [field] : [])),
  );
}

function gatewayLabels(): Record<string, string> {
  const fields = connectableAccounts().flatMap(({ title, toggle, cardToggle, keys }) => [
    [toggle.field, toggle.label],
    ...(cardToggle ? [[cardToggle.field, cardToggle.label]] : []),
    ...keys.map(({ field, label }) => [field, `${title}, ${label}`]),
  ]);
  return {
    ...Object.fromEntries(fields),
    first_provider: "Gerar o PIX primeiro por",
    utmfy_enabled: "Rastreamento ligado",
  };
}

/** What was typed is sent back, secrets as masks: saved ones as they are now. */
async function withMasks(sellerId: string, result: FormReply, form: FormData): Promise<FormReply> {
  const saved = await showGateways(sellerId);
  const fields = secretFields();
  const unchanged = fields.filter((field) => isMask(String(form.get(field) ?? "")));
  const masks = Object.fromEntries(unchanged.map((field) => [field, String(pick(saved, field))]));
  const shown = { ...result, initialValue: { ...result.initialValue, ...masks } };
  return maskTypedSecrets(sellerId, shown, form, fields);
}
