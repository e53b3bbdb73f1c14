import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { showWebhookSetup } from "#app/domain/gateway/webhook-setup/show-webhook-setup.server.ts";
import { paths } from "#app/kit/paths.ts";
import { runSetupAction } from "#app/routes/seller/settings/webhook-setup/actions.server.ts";
import { SetupSteps } from "#app/routes/seller/settings/webhook-setup/steps.tsx";
import { TestCard } from "#app/routes/seller/settings/webhook-setup/test-card.tsx";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { withTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  return orRefusedPage(request, showWebhookSetup(seller.id, params.provider ?? ""));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const posted = await readResumedForm(request, seller, await readPostedForm(request));
  const form = withTypedSecrets(seller.id, withIntent(posted));
  const provider = params.provider ?? "";
  return orRefusedPage(request, runSetupAction({ seller, form, request, provider }));
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const answer = serverAction<typeof action>();
  const failed = "Erro de conexão. Tente novamente.";
  if (intent === "start-test") return orUnreachable(answer, { saved: null, failed });
  const saved = { status: "error" as const, error: { "": ["Erro ao salvar configurações"] } };
  return orUnreachable(answer, { saved, failed: null });
}

export const shouldRevalidate = unlessUnreachable;

export default function WebhookSetupPage() {
  const setup = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  return (
    <Screen
      width="form"
      back={{ to: paths.settings("gateways"), label: "Gateways" }}
      title={`Webhook: ${setup.title}`}
      text="Com ele, cada pagamento é confirmado em segundos. Configure uma vez e teste aqui."
    >
      {reply?.failed && <Outcome about={reply} tone="error" text={reply.failed} />}
      <div className="flex flex-col gap-6">
        <SetupSteps {...setup} reply={(reply?.saved ?? null) as FormReply | null} />
        <TestCard {...setup} />
      </div>
    </Screen>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Webhook: ${data?.title ?? ""} · Checkintelli` },
];
