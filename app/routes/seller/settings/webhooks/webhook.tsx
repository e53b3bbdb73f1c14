import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { runWebhookAction } from "#app/routes/seller/settings/webhooks/actions.server.ts";
import { Codes } from "#app/routes/seller/settings/webhooks/codes.tsx";
import { WebhookControls } from "#app/routes/seller/settings/webhooks/controls.tsx";
import { WebhookForm } from "#app/routes/seller/settings/webhooks/form.tsx";
import { HowToReceive } from "#app/routes/seller/settings/webhooks/how-to-receive.tsx";
import { loadWebhook } from "#app/routes/seller/settings/webhooks/loader.server.ts";
import { NewsLog } from "#app/routes/seller/settings/webhooks/log.tsx";
import { SecretCard } from "#app/routes/seller/settings/webhooks/secret.tsx";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";
import { type KeptReply, useKept } from "#app/ui/seller/form/kept-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";
import { withIntent } from "#app/web/conflict.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { postedForm } from "#app/web/forms.server.ts";
import { orRefuse } from "#app/web/pages.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";
import { resumedForm } from "#app/web/session/recent-sign-in.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  return orRefuse(request, loadWebhook(seller.id, params.webhookId!, new URL(request.url).searchParams));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = withIntent(await resumedForm(request, seller, await postedForm(request, SELLERS_BODY)));
  return orRefuse(request, runWebhookAction({ seller, id: params.webhookId!, form, request }));
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const answer = serverAction<typeof action>();
  const result = { status: "error" as const, error: { "": ["Erro ao salvar webhook"] } };
  if (intent === "save") return orUnreachable(answer, { result, secret: null, tried: null });
  const tried = { success: false, message: "Erro de conexão. Tente novamente." };
  return orUnreachable(answer, { result: null, secret: null, tried });
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
  const result = (reply?.result ?? null) as KeptReply | null;
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
      {reply?.tried && (
        <Outcome
          about={reply.tried}
          tone={reply.tried.success ? "success" : "error"}
          text={reply.tried.message}
        />
      )}
      <LinkTabs
        label="Webhook"
        current={current}
        tabs={TABS.map(({ id, label }) => ({ id, label, href: paths.webhook(webhook.id, `tab=${id}`) }))}
      />
      <div className="flex flex-col gap-6">
        {webhook.stopped && <Stopped why={webhook.stopped} />}
        {current === "envios" && loaded.log && (
          <>
            <WebhookControls webhook={webhook} />
            <NewsLog
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
            <SecretCard secret={webhook.secret} shown={reply?.secret ?? null} until={webhook.previousUntil} />
            <HowToReceive form={webhook.form} />
            <Codes form={webhook.form} codes={loaded.choices.codes} />
          </>
        )}
      </div>
    </Screen>
  );
}

function Settings({ loaded, reply }: { loaded: Loaded; reply: KeptReply | null }) {
  const { shown, key, onSaved } = useKept("webhook", loaded);
  const { events, products } = loaded.choices;
  return (
    <WebhookForm
      key={key}
      defaults={shown.defaults}
      version={shown.version}
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

function Stopped({ why }: { why: keyof typeof REASONS }) {
  return <Notice tone="warning" text={REASONS[why]} live={false} />;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.webhook.name ?? "Webhook"} · Checkintelli` },
];
