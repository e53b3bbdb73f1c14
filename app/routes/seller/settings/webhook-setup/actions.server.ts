import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showWebhookSetup } from "#app/domain/gateway/webhook-setup/show-webhook-setup.server.ts";
import { startWebhookTest } from "#app/domain/gateway/webhook-setup/start-webhook-test.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { paths } from "#app/kit/paths.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { maskTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toRefusalFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

type Posted = { seller: SignedIn; form: FormData; request: Request; provider: string };

const SECRET = ["webhook_secret"];
const MAX_SECRET = 500;
const secretForm = z.object({ webhook_secret: z.string().default("") });

/** The reply to the form, or to the test's button. */
function reply(refused: { saved?: FormReply; failed?: string; status: number }) {
  const { saved = null, failed = null, status } = refused;
  return data({ saved, failed }, status);
}

/** Runs the action of a button of the page. @throws Response 400 if there is no such button */
export async function runSetupAction(posted: Posted) {
  const intent = posted.form.get("intent");
  if (intent === "webhook-secret") return saveSecret(posted);
  if (intent === "start-test") return startTest(posted);
  throw new Response("Ação desconhecida", { status: 400 });
}

async function saveSecret({ seller, form, request, provider }: Posted) {
  const submission = parseForm(form, secretForm);
  const secret = cleanPasted(String(form.get("webhook_secret") ?? ""));
  const masked = (result: FormReply) => maskTypedSecrets(seller.id, result, form, SECRET);
  if (secret === "" || secret.length > MAX_SECRET) {
    const message = secret === "" ? "Cole a assinatura secreta" : `Até ${MAX_SECRET} caracteres`;
    const fieldErrors = { webhook_secret: [message] };
    return reply({ saved: masked(submission.reply({ fieldErrors, hideFields: SECRET })), status: 400 });
  }
  const { secretField, secretLabel } = await showWebhookSetup(seller.id, provider);
  await requireRecentSignIn({ seller, form, request }, "payment-keys");
  try {
    const fields = gatewaysForm().parse({ [secretField]: secret });
    await saveGateways(seller.id, fields, requestOrigin(request, seller), formVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const setup = await showWebhookSetup(seller.id, provider);
      const current = { saved: { webhook_secret: setup.secret }, version: setup.version };
      const labels = { webhook_secret: secretLabel };
      return reply({ saved: masked(conflictResult(submission, form, current, labels, SECRET)), status: 409 });
    }
    const { message, status } = toRefusalFailure(error, request);
    return reply({ saved: masked(submission.reply({ formErrors: [message], hideFields: SECRET })), status });
  }
  return redirectWithMessage(paths.webhookSetup(provider), "Assinatura secreta salva. Agora faça o teste.");
}

async function startTest({ seller, request, provider }: Posted) {
  try {
    await throttle("outside-call", request, seller.id);
    await startWebhookTest(seller.id, provider);
  } catch (error) {
    const { message, status } = toRefusalFailure(error, request);
    return reply({ failed: message, status });
  }
  return redirect(paths.webhookTest(provider));
}
