import type { SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { gatewaysPageForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
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
  result: SubmissionResult<string[]> | null,
  status: number,
) {
  return data({ gateways: { intent, tried, result } }, status);
}

export async function postGateways({ seller, form, request }: Posted) {
  const submission = parseForm(form, gatewaysPageForm());
  if (submission.status !== "success") {
    const errors = Object.values(submission.error ?? {}).flat();
    const formErrors = [`Erro ao salvar configurações: ${errors[0] ?? "formulário inválido"}`];
    return reply("gateways", null, await withoutKeys(seller.id, submission.reply({ formErrors })), 400);
  }
  await requireRecentSignIn({ seller, form, request }, "payment-keys");
  try {
    await saveGateways(seller.id, submission.value, originOf(request));
  } catch (error) {
    const { message, status } = refusalOf(error, request);
    const formErrors = [`Erro ao salvar configurações: ${message}`];
    return reply("gateways", null, await withoutKeys(seller.id, submission.reply({ formErrors })), status);
  }
  return redirectSaying(paths.settings("gateways"), SAVED);
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
    await saveResendKey(seller.id, key, originOf(request));
  } catch (error) {
    const { message, status } = refusalOf(error, request);
    return reply(
      "resend-key",
      { success: false, message: `Erro ao salvar configurações: ${message}` },
      null,
      status,
    );
  }
  return redirectSaying(paths.settings("gateways"), SAVED);
}

export async function postTestMail({ seller, form, request }: Posted) {
  try {
    const to = String(form.get("test_email") ?? "");
    const { success, message } = await sendCountedTestMail(request, seller, to);
    return reply("test-email", { success, message }, null, 200);
  } catch (error) {
    const { message, status } = refusalOf(error, request);
    return reply("test-email", { success: false, message }, null, status);
  }
}

function refusalOf(error: unknown, request: Request): { message: string; status: number } {
  if (!(error instanceof Refusal)) throw error;
  return toFailure(error, request);
}

/** What was typed goes back to the page, but for the keys: the saved ones' masks stand in their place. */
async function withoutKeys(
  sellerId: string,
  result: SubmissionResult<string[]>,
): Promise<SubmissionResult<string[]>> {
  const shown = await showGateways(sellerId);
  const keys = connectableAccounts().flatMap((account) => account.keys);
  const saved = Object.fromEntries(keys.map(({ field }) => [field, String(pick(shown, field))]));
  return { ...result, initialValue: { ...result.initialValue, ...saved } };
}
