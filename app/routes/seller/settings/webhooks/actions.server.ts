import { data } from "@remix-run/node";
import { z } from "zod";
import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import {
  deleteDestination,
  pauseDestination,
  resumeDestination,
} from "#app/domain/outbox/change-destination.server.ts";
import { testDestination } from "#app/domain/outbox/test-destination.server.ts";
import { revealSecret, showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { rotateSecret } from "#app/domain/outbox/webhook/rotate-secret.server.ts";
import { saveWebhook } from "#app/domain/outbox/webhook/save-webhook.server.ts";
import { webhookForm } from "#app/domain/outbox/webhook/webhook-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { webhookDefaults } from "#app/routes/seller/settings/webhooks/loader.server.ts";
import { DAYS_MISSING, resendMany, resendOne } from "#app/routes/seller/settings/webhooks/resend.server.ts";
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { conflictResult, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireRecentSignIn } from "#app/web/session/recent-sign-in.server.ts";

type Posted = { seller: SignedIn; id: string; form: FormData; request: Request };

/** What an action of the page answers with where it does not lead on. */
type Reply = {
  result?: KeptReply;
  tried?: { success: boolean; message: string };
  /** The secret, for who has just shown who they are. */
  secret?: string;
};

/** Does what a button of a webhook's page asks for. */
export async function runWebhookAction(posted: Posted) {
  const [intent = "", item = ""] = String(posted.form.get("intent")).split(":");
  const action = pick(WEBHOOK_ACTIONS, intent);
  if (!action) throw new Response("Ação desconhecida", { status: 400 });
  try {
    return await action(posted, item);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, status } = toFailure(error, posted.request);
    return reply({ tried: { success: false, message } }, status);
  }
}

/** What each button does; `item` is what stands behind the colon of its name. */
export const WEBHOOK_ACTIONS: Record<
  string,
  (posted: Posted, item: string) => Promise<Response | ReturnType<typeof reply>>
> = {
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
  pause: async ({ seller, id }) => {
    await pauseDestination("webhook", seller.id, id);
    return redirectSaying(paths.webhook(id), "Webhook pausado: nada mais é enviado.");
  },
  resume: async ({ seller, id }) => {
    await resumeDestination("webhook", seller.id, id);
    return redirectSaying(paths.webhook(id), "Webhook ligado: as próximas vendas são avisadas.");
  },
  delete: async ({ seller, id }) => {
    await deleteDestination("webhook", seller.id, id);
    return redirectSaying(paths.webhooks(), "Webhook excluído.");
  },
  test,
  resend: (posted, newsId) => resendOne(posted, newsId, paths.webhook(posted.id)),
  "resend-span": async (posted) => {
    const done = await resendMany(posted, paths.webhook(posted.id));
    return done ?? reply({ tried: { success: false, message: DAYS_MISSING } }, 400);
  },
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

function reply(said: Reply, status = 200) {
  return data({ result: null, tried: null, secret: null, ...said }, status);
}
