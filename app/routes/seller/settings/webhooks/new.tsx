import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { createWebhook } from "#app/domain/delivery/webhook/save-webhook.server.ts";
import { webhookForm } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { loadChoices } from "#app/routes/seller/settings/webhooks/choices.server.ts";
import { USUAL_EVENTS } from "#app/routes/seller/settings/webhooks/fields.ts";
import { WebhookForm } from "#app/routes/seller/settings/webhooks/form.tsx";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { flashCookie } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm, requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { products, events } = await loadChoices(seller.id);
  return { products, events };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  const submission = parseForm(form, webhookForm);
  if (submission.status !== "success") return invalidForm(submission);
  await requireRecentSignIn({ seller, form, request }, "webhook");
  try {
    const id = await createWebhook(seller.id, submission.value, requestOrigin(request));
    const headers = { "Set-Cookie": await flashCookie("Webhook criado. Envie um teste para conferir.") };
    return redirect(paths.webhook(id), { headers });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro ao criar webhook");
}

export { unlessUnreachable as shouldRevalidate };

export default function NewWebhook() {
  const { products, events } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as FormReply | undefined;
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
