import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { createWebhook } from "#app/domain/outbox/webhook/save-webhook.server.ts";
import { webhookForm } from "#app/domain/outbox/webhook/webhook-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { loadChoices } from "#app/routes/seller/settings/webhooks/choices.server.ts";
import { USUAL_EVENTS } from "#app/routes/seller/settings/webhooks/fields.ts";
import { WebhookForm } from "#app/routes/seller/settings/webhooks/form.tsx";
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { orFormSays, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { originOf } from "#app/web/door/origin.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { badForm, parseForm, postedForm, refusedForm } from "#app/web/forms.server.ts";
import { flashCookie } from "#app/web/session/flash.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";
import { requireRecentSignIn, resumedForm } from "#app/web/session/recent-sign-in.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { products, events } = await loadChoices(seller.id);
  return { products, events };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await resumedForm(request, seller, await postedForm(request, SELLERS_BODY));
  const submission = parseForm(form, webhookForm);
  if (submission.status !== "success") return badForm(submission);
  await requireRecentSignIn({ seller, form, request }, "webhook");
  try {
    const id = await createWebhook(seller.id, submission.value, originOf(request));
    const headers = { "Set-Cookie": await flashCookie("Webhook criado. Envie um teste para conferir.") };
    return redirect(paths.webhook(id), { headers });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** Where the network fails the form stays as it is and says so. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormSays(serverAction<typeof action>(), "Erro ao criar webhook");
}

export { unlessUnreachable as shouldRevalidate };

export default function NewWebhook() {
  const { products, events } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as KeptReply | undefined;
  return (
    <Screen
      width="form"
      back={{ to: paths.webhooks(), label: "Webhooks" }}
      title="Novo webhook"
      text="Um endereço que avisamos a cada venda."
      save={{ form: "webhook", intent: "save", label: "Criar webhook" }}
    >
      <WebhookForm
        defaults={{
          name: "",
          url: "",
          form: "standard",
          token: "",
          with_document: false,
          events: USUAL_EVENTS,
          scope: "all",
          products: [],
        }}
        {...{ events, products }}
        reply={reply ?? null}
        submit="Criar webhook"
      />
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Novo webhook · Checkintelli" }];
