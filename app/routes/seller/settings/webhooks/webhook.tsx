import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { runWebhookAction } from "#app/routes/seller/settings/webhooks/actions.server.ts";
import { Codes } from "#app/routes/seller/settings/webhooks/codes.tsx";
import { WebhookControls } from "#app/routes/seller/settings/webhooks/controls.tsx";
import { WebhookForm } from "#app/routes/seller/settings/webhooks/form.tsx";
import { HowToReceive } from "#app/routes/seller/settings/webhooks/how-to-receive.tsx";
import { loadWebhook } from "#app/routes/seller/settings/webhooks/loader.server.ts";
import { DeliveryLog } from "#app/routes/seller/settings/webhooks/log.tsx";
import { SecretCard } from "#app/routes/seller/settings/webhooks/secret.tsx";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  return orRefusedPage(request, loadWebhook(seller.id, params.webhookId!, new URL(request.url).searchParams));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = withIntent(
    await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY)),
  );
  return orRefusedPage(request, runWebhookAction({ seller, id: params.webhookId!, form, request }));
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const answer = serverAction<typeof action>();
  const result = { status: "error" as const, error: { "": ["Erro ao salvar webhook"] } };
  if (intent === "save") return orUnreachable(answer, { result, secret: null, testResult: null });
  const testResult = { success: false, message: "Erro de conexão. Tente novamente." };
  return orUnreachable(answer, { result: null, secret: null, testResult });
}

export const shouldRevalidate = unlessUnreachable;

const TABS = [
  { id: "envios", label: "Envios" },
  { id: "configuracao", label: "Configuração" },
  { id: "receber", label: "Como receber" },
];

export default function WebhookPage() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  const { webhook, tab } = loaded;
  const result = (reply?.result ?? null) as FormReply | null;
  const current = result ? "configuracao" : reply?.secret ? "receber" : tab;
  return (
    <Screen
      width="form"
      back={{ to: paths.webhooks(), label: "Webhooks" }}
      title={webhook.name}
      text={webhook.url}
      save={current === "configuracao" && { form: "webhook", intent: "save", label: "Salvar webhook" }}
      badge={<StateBadge stopped={webhook.stopped} failing={webhook.failing} />}
    >
      {reply?.testResult && (
        <Outcome
          about={reply.testResult}
          tone={reply.testResult.success ? "success" : "error"}
          text={reply.testResult.message}
        />
      )}
      <LinkTabs
        label="Webhook"
        current={current}
        tabs={TABS.map(({ id, label }) => ({ id, label, href: paths.webhook(webhook.id, `tab=${id}`) }))}
      />
      <div className="flex flex-col gap-6">
        {webhook.stopped && <Stopped reason={webhook.stopped} />}
        {current === "envios" && loaded.log && (
          <>
            <WebhookControls webhook={webhook} />
            <DeliveryLog
              log={loaded.log}
              at={(query) => paths.webhook(webhook.id, query)}
              today={loaded.today}
              copies="A ferramenta reconhece o que já tratou pelo webhook-id, que não muda."
            />
          </>
        )}
        {current === "configuracao" && <Settings loaded={loaded} reply={result} />}
        {current === "receber" && (
          <>
            <SecretCard
              secret={webhook.secret}
              revealed={reply?.secret ?? null}
              until={webhook.previousUntil}
            />
            <HowToReceive form={webhook.form} />
            <Codes form={webhook.form} codes={loaded.choices.codes} />
          </>
        )}
      </div>
    </Screen>
  );
}

function Settings({ loaded, reply }: { loaded: Loaded; reply: FormReply | null }) {
  const { values, key, onSaved } = useRestoredForm("webhook", loaded);
  const { events, products } = loaded.choices;
  return (
    <WebhookForm
      key={key}
      defaults={values.defaults}
      version={values.version}
      reload={paths.webhook(loaded.webhook.id, "tab=configuracao")}
      {...{ events, products, reply, onSaved }}
      submit="Salvar webhook"
    />
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

const REASONS = {
  seller: "Este webhook está pausado: as vendas de agora não são avisadas.",
  failing: "Pausado: por três dias nenhum aviso chegou. Corrija o endereço, reative e reenvie o que faltou.",
  token: "Pausado: o segredo não é mais aceito.",
  gone: "Pausado: o endereço respondeu que não quer mais avisos (410).",
};

function Stopped({ reason }: { reason: keyof typeof REASONS }) {
  return <Alert tone="warning" text={REASONS[reason]} live={false} />;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.webhook.name ?? "Webhook"} · Checkintelli` },
];
