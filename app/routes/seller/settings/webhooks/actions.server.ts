import { z } from "zod";
import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import { testDestination } from "#app/domain/outbox/test-destination.server.ts";
import { revealSecret, showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { rotateSecret } from "#app/domain/outbox/webhook/rotate-secret.server.ts";
import { saveWebhook } from "#app/domain/outbox/webhook/save-webhook.server.ts";
import { webhookForm } from "#app/domain/outbox/webhook/webhook-form.server.ts";
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
import { conflictResult, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireRecentSignIn } from "#app/web/session/recent-sign-in.server.ts";

/** Does what a button of a webhook's page asks for. */
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
    await saveWebhook(seller.id, id, submission.value, originOf(request), shownVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const webhook = await showWebhook(seller.id, id);
      const stands = { saved: webhookDefaults(webhook), version: webhook.version };
      return reply({ result: conflictResult(submission, form, stands, FIELDS, ["token"]) }, 409);
    }
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, field, status } = toFailure(error, request);
    const said = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return reply({ result: submission.reply(said) }, status);
  }
  return redirectSaying(paths.webhook(id, "tab=configuracao"), "Webhook salvo com sucesso!");
}

const TEST = z.object({ event: z.enum(NEWS_EVENTS) });

async function test({ seller, id, form, request }: Posted) {
  const submission = parseForm(form, TEST);
  if (submission.status !== "success") throw new Response("Evento desconhecido", { status: 400 });
  await throttle("outside-call", request, seller.id);
  const { status, words } = await testDestination("webhook", seller.id, id, submission.value.event);
  if (status === "sent")
    return redirectSaying(paths.webhook(id), "Teste entregue: o endereço aceitou o aviso.");
  const again = status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  return reply({ tried: { success: false, message: `O teste não chegou. ${words.text ?? ""}${again}` } });
}
