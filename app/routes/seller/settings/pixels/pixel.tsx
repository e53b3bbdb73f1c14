import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { runPixelAction } from "#app/routes/seller/settings/pixels/actions.server.ts";
import { PixelControls } from "#app/routes/seller/settings/pixels/controls.tsx";
import { PixelForm } from "#app/routes/seller/settings/pixels/form.tsx";
import { loadPixel } from "#app/routes/seller/settings/pixels/loader.server.ts";
import { DeliveryLog } from "#app/routes/seller/settings/webhooks/log.tsx";
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
  return orRefusedPage(request, loadPixel(seller.id, params.pixelId!, new URL(request.url).searchParams));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = withIntent(
    await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY)),
  );
  return orRefusedPage(request, runPixelAction({ seller, id: params.pixelId!, form, request }));
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const answer = serverAction<typeof action>();
  const result = { status: "error" as const, error: { "": ["Erro ao salvar pixel"] } };
  if (intent === "save") return orUnreachable(answer, { result, testResult: null });
  const testResult = { success: false, message: "Erro de conexão. Tente novamente." };
  return orUnreachable(answer, { result: null, testResult });
}

export const shouldRevalidate = unlessUnreachable;

const TABS = [
  { id: "envios", label: "Envios" },
  { id: "configuracao", label: "Configuração" },
];

const COPIES = {
  meta: "A Meta reconhece por dois dias o que já contou, pelo event_id.",
  ga4: "O Google reconhece a compra que já contou pelo transaction_id.",
  tiktok: "O TikTok reconhece por dois dias o que já contou, pelo event_id.",
  kwai: "O Kwai não reconhece cópias: o que já foi entregue seria contado de novo.",
};

export default function PixelPage() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  const { pixel, tab } = loaded;
  const result = (reply?.result ?? null) as FormReply | null;
  const current = result ? "configuracao" : tab;
  return (
    <Screen
      width="form"
      back={{ to: paths.pixels(), label: "Pixels e conversões" }}
      title={pixel.name}
      text={`${pixel.service} · ${pixel.pixelId}`}
      save={current === "configuracao" && { form: "pixel", intent: "save", label: "Salvar pixel" }}
      badge={<StateBadge stopped={pixel.stopped} failing={pixel.failing} />}
    >
      {reply?.testResult && (
        <Outcome
          about={reply.testResult}
          tone={reply.testResult.success ? "success" : "error"}
          text={reply.testResult.message}
        />
      )}
      <LinkTabs
        label="Pixel"
        current={current}
        tabs={TABS.map(({ id, label }) => ({ id, label, href: paths.pixel(pixel.id, `tab=${id}`) }))}
      />
      <div className="flex flex-col gap-6">
        {pixel.stopped && <Alert tone="warning" text={REASONS[pixel.stopped]} live={false} />}
        {current === "envios" && loaded.log && (
          <>
            <PixelControls pixel={pixel} />
            <DeliveryLog
              log={loaded.log}
              at={(query) => paths.pixel(pixel.id, query)}
              today={loaded.today}
              copies={COPIES[pixel.kind]}
            />
          </>
        )}
        {current === "configuracao" && <Settings loaded={loaded} reply={result} />}
      </div>
    </Screen>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

function Settings({ loaded, reply }: { loaded: Loaded; reply: FormReply | null }) {
  const { values, key, onSaved } = useRestoredForm("pixel", loaded);
  return (
    <PixelForm
      key={key}
      defaults={values.defaults}
      version={values.version}
      reload={paths.pixel(loaded.pixel.id, "tab=configuracao")}
      {...loaded.choices}
      {...{ reply, onSaved }}
      submit="Salvar pixel"
    />
  );
}

const REASONS = {
  seller: "Este pixel está pausado: as vendas de agora não são informadas.",
  failing: "Pausado: por três dias nada foi aceito. Confira a configuração, reative e reenvie o que faltou.",
  gone: "Pausado: o serviço respondeu que não recebe mais.",
  token:
    "Pausado: o serviço não aceita o token. Gere outro, salve-o na configuração, reative e reenvie o que faltou.",
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.pixel.name ?? "Pixel"} · Checkintelli` },
];
