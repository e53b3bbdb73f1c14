import { data } from "@remix-run/node";
import { z } from "zod";
import { versionOf } from "#app/db/version.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { type GatewaysForm, gatewaysPageForm } from "#app/domain/gateway/gateways-form.server.ts";
import { gatewaysVersion, saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { carriedBy } from "#app/domain/mail/outbox/carried-by.ts";
import { UNCONFIRMED_KEY } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { conflictResult, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireRecentSignIn } from "#app/web/session/recent-sign-in.server.ts";
import { sendCountedTestMail } from "#app/web/test-mail.server.ts";

type Posted = { seller: SignedIn; form: FormData; request: Request };

const SAVED = "Configurações salvas com sucesso!";

/** What the gateways tab is told: how a try went, at the card it belongs to, and the form where it was refused. */
function reply(
  intent: string,
  tried: { success: boolean; message: string } | null,
  result: KeptReply | null,
  status: number,
  removes: { name: string; title: string } | null = null,
) {
  return data({ gateways: { intent, tried, result, removes } }, status);
}

export async function postGateways({ seller, form, request }: Posted) {
  const submission = parseForm(form, gatewaysPageForm());
  if (submission.status !== "success") {
    const errors = Object.values(submission.error ?? {}).flat();
    const formErrors = [`Erro ao salvar configurações: ${errors[0] ?? "formulário inválido"}`];
    return reply("gateways", null, await withoutKeys(seller.id, submission.reply({ formErrors })), 400);
  }
  const typed = withoutKeyOf(form.get("remove_key"), submission.value);
  const removes = await keyThatGoes(seller.id, typed);
  if (removes && removes.name !== form.get("remove_key")) {
    const result = await withoutKeys(seller.id, submission.reply());
    return reply("gateways", null, result, 409, { name: removes.name, title: removes.title });
  }
  await requireRecentSignIn({ seller, form, request }, "payment-keys");
  try {
    await saveGateways(seller.id, typed, originOf(request), shownVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const saved = await showGateways(seller.id);
      const stands = { saved, version: gatewaysVersion(saved) };
      const [labels, keys] = [gatewayLabels(), keyFields()];
      const result = conflictResult(submission, form, stands, labels, keys);
      return reply("gateways", null, await withoutKeys(seller.id, result), 409);
    }
    const { message, status } = refusalOf(error, request);
    const formErrors = [`Erro ao salvar configurações: ${message}`];
    return reply("gateways", null, await withoutKeys(seller.id, submission.reply({ formErrors })), status);
  }
  return redirectSaying(paths.settings("gateways"), SAVED);
}

/** The answer "remove it" empties the key's field, which shows the saved one's mask again. */
function withoutKeyOf(name: FormDataEntryValue | null, typed: GatewaysForm): GatewaysForm {
  const account = connectableAccounts().find((one) => one.name === name);
  const field = account?.keys.find(({ holds }) => holds === "apiKey")?.field;
  return field ? { ...typed, [field]: "" } : typed;
}

/** The account whose key was emptied: a shop stops selling by that. */
async function keyThatGoes(sellerId: string, typed: GatewaysForm) {
  const saved = await showGateways(sellerId);
  return connectableAccounts().find(({ hasCard, charges, keys }) => {
    const field = keys.find(({ holds }) => holds === "apiKey")?.field ?? "";
    return hasCard && charges && pick(saved, field) && pick(typed, field) === "";
  });
}

export async function postWebhookTest({ seller, form, request }: Posted) {
  const intent = String(form.get("intent"));
  const account = connectableAccounts().find(({ name }) => name === intent.split(":")[1]);
  const keyField = account?.keys.find(({ holds }) => holds === "apiKey")?.field ?? "";
  try {
    await throttle("outside-call", request, seller.id);
    const typed = cleanPasted(String(form.get(keyField) ?? ""));
    const message = await testWebhook(seller.id, account?.name ?? "", typed);
    return reply(intent, { success: true, message }, null, 200);
  } catch (error) {
    const { message, status } = refusalOf(error, request);
    return reply(intent, { success: false, message }, null, status);
  }
}

export async function postResendKey({ seller, form, request }: Posted) {
  await requireRecentSignIn({ seller, form, request }, "mail-key");
  try {
    const key = cleanPasted(String(form.get("resend_api_key") ?? ""));
    const fresh = await saveResendKey(seller.id, key, originOf(request), shownVersion(form));
    return await redirectSaying(
      paths.settings("gateways"),
      fresh && !fresh.isConfirmed ? SAVED + UNCONFIRMED_KEY : SAVED,
    );
  } catch (error) {
    const submission = parseForm(form, RESEND_KEY);
    if (isStale(error)) {
      const saved = { resend_api_key: await maskedResendKey(seller.id) };
      const stands = { saved, version: versionOf(saved.resend_api_key) };
      const labels = { resend_api_key: "Chave do Resend" };
      return reply("resend-key", null, conflictResult(submission, form, stands, labels, SECRET), 409);
    }
    const { message, status } = refusalOf(error, request);
    const formErrors = [`Erro ao salvar configurações: ${message}`];
    return reply("resend-key", null, submission.reply({ formErrors, hideFields: SECRET }), status);
  }
}

export async function postTestMail({ seller, form, request }: Posted) {
  try {
    const to = String(form.get("test_email") ?? "");
    const { success, message, via } = await sendCountedTestMail(request, seller, { to });
    return reply("test-email", { success, message: `${message} ${carriedBy(via)}` }, null, 200);
  } catch (error) {
    const { message, status } = refusalOf(error, request);
    return reply("test-email", { success: false, message }, null, status);
  }
}

const RESEND_KEY = z.object({ resend_api_key: z.string().default("") });
const SECRET = ["resend_api_key"];

function keyFields(): string[] {
  return connectableAccounts().flatMap(({ keys }) => keys.map(({ field }) => field));
}

function gatewayLabels(): Record<string, string> {
  const fields = connectableAccounts()
    .filter(({ hasCard }) => hasCard)
    .flatMap(({ title, toggle, keys }) => [
      [toggle.field, toggle.label],
      ...keys.map(({ field, label }) => [field, `${title}, ${label}`]),
    ]);
  return { ...Object.fromEntries(fields), utmfy_enabled: "Rastreamento ligado" };
}

function refusalOf(error: unknown, request: Request): { message: string; status: number } {
  if (!(error instanceof Refusal)) throw error;
  return toFailure(error, request);
}

/** What was typed goes back to the page, but for the keys: the saved ones' masks stand in their place. */
async function withoutKeys(sellerId: string, result: KeptReply): Promise<KeptReply> {
  const shown = await showGateways(sellerId);
  const saved = Object.fromEntries(keyFields().map((field) => [field, String(pick(shown, field))]));
  return { ...result, initialValue: { ...result.initialValue, ...saved } };
}
