import { z } from "zod";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import { revealSecret, showWebhook } from "#app/domain/delivery/webhook/list-webhooks.server.ts";
import { rotateSecret } from "#app/domain/delivery/webhook/rotate-secret.server.ts";
import { saveWebhook } from "#app/domain/delivery/webhook/save-webhook.server.ts";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import {
  type Action,
  commonActions,
  type Posted,
  reply,
  runAction,
} from "#app/routes/seller/settings/webhooks/destination-actions.server.ts";
import { webhookDefaults } from "#app/routes/seller/settings/webhooks/loader.server.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";

/** Runs the action of a button of a webhook's page. */
export const runWebhookAction = (posted: Posted) => runAction(WEBHOOK_ACTIONS, posted);

export const WEBHOOK_ACTIONS: Record<string, Action> = {
  ...commonActions(
    "webhook",
    { own: (id) => paths.webhook(id), all: paths.webhooks },
    {
      paused: "Webhook pausado: nada mais é enviado.",
      resumed: "Webhook reativado: as próximas vendas são avisadas.",
      deleted: "Webhook excluído.",
    },
  ),
  save,
  reveal: async (posted) => {
    await requireRecentSignIn(posted, "webhook");
    return reply({ secret: await revealSecret(posted.seller.id, posted.id) });
  },
  rotate: async (posted) => {
    await requireRecentSignIn(posted, "webhook");
    await rotateSecret(posted.seller.id, posted.id);
    return reply({ secret: await revealSecret(posted.seller.id, posted.id) });
  },
  test,
};

const FIELDS = {
  name: "Nome",
  url: "Endereço",
  form: "Formato",
  token: "Token",
  with_document: "Enviar CPF ou CNPJ",
  events: "Eventos",
  scope: "Produtos",
  products: "Produtos marcados (números)",
};

async function save(posted: Posted) {
  const { seller, id, form, request } = posted;
  const submission = parseForm(form, webhookForm);
  if (submission.status !== "success") return reply({ result: submission.reply() }, 400);
  await requireRecentSignIn(posted, "webhook");
  try {
    await saveWebhook(seller.id, id, submission.value, requestOrigin(request), formVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const webhook = await showWebhook(seller.id, id);
      const current = { saved: webhookDefaults(webhook), version: webhook.version };
      return reply({ result: conflictResult(submission, form, current, FIELDS, ["token"]) }, 409);
    }
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, field, status } = toFailure(error, request);
    const errors = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return reply({ result: submission.reply(errors) }, status);
  }
  return redirectWithMessage(paths.webhook(id, "tab=configuracao"), "Webhook salvo com sucesso!");
}

const TEST = z.object({ event: z.enum(DELIVERY_EVENTS) });

async function test({ seller, id, form, request }: Posted) {
  const submission = parseForm(form, TEST);
  if (submission.status !== "success") throw new Response("Evento desconhecido", { status: 400 });
  await throttle("outside-call", request, seller.id);
  const { status, text: outcome } = await testDestination("webhook", seller.id, id, submission.value.event);
  if (status === "sent")
    return redirectWithMessage(paths.webhook(id), "Teste entregue: o endereço aceitou o aviso.");
  const again = status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  return reply({
    testResult: { success: false, message: `O teste não chegou. ${outcome.text ?? ""}${again}` },
  });
}
