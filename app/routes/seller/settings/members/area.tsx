import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { runMemberAction } from "#app/routes/seller/settings/members/actions.server.ts";
import { MemberControls } from "#app/routes/seller/settings/members/controls.tsx";
import { MemberForm } from "#app/routes/seller/settings/members/form.tsx";
import { loadMemberArea } from "#app/routes/seller/settings/members/loader.server.ts";
import { Codes } from "#app/routes/seller/settings/webhooks/codes.tsx";
import { DeliveryLog } from "#app/routes/seller/settings/webhooks/log.tsx";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const query = new URL(request.url).searchParams;
  return orRefusedPage(request, loadMemberArea(seller.id, params.areaId!, query, seller.email));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const form = withIntent(
    await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY)),
  );
  return orRefusedPage(request, runMemberAction({ seller, id: params.areaId!, form, request }));
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const answer = serverAction<typeof action>();
  const result = { status: "error" as const, error: { "": ["Erro ao salvar área de membros"] } };
  if (intent === "save") return orUnreachable(answer, { result, testResult: null, typed: null });
  const testResult = { success: false, message: "Erro de conexão. Tente novamente." };
  return orUnreachable(answer, { result: null, testResult, typed: null });
}

export const shouldRevalidate = unlessUnreachable;

const TABS = [
  { id: "envios", label: "Envios" },
  { id: "configuracao", label: "Configuração" },
];
const PRODUCTS = { id: "produtos", label: "Produtos" };

const COPIES = {
  cademi: "A Cademí guarda cada entrega pelo código: a mesma de novo não libera duas vezes.",
  memberkit: "A MemberKit guarda o aluno pelo e-mail: o mesmo de novo não muda nada.",
};

export default function MemberAreaPage() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  const { area, tab, choices } = loaded;
  const result = (reply?.result ?? null) as FormReply | null;
  const current = result ? "configuracao" : tab;
  const isCademi = area.kind === "cademi";
  return (
    <Screen
      width="form"
      back={{ to: paths.memberAreas(), label: "Áreas de membros" }}
      title={area.name}
      text={area.where}
      save={current === "configuracao" && { form: "member-area", intent: "save", label: "Salvar área" }}
      badge={<StateBadge stopped={area.stopped} failing={area.failing} />}
    >
      {reply?.testResult && (
        <Outcome
          about={reply.testResult}
          tone={reply.testResult.success ? "success" : "error"}
          text={reply.testResult.message}
        />
      )}
      <LinkTabs
        label="Área de membros"
        current={current}
        tabs={(isCademi ? [...TABS, PRODUCTS] : TABS).map(({ id, label }) => ({
          ...{ id, label },
          href: paths.memberArea(area.id, `tab=${id}`),
        }))}
      />
      <div className="flex flex-col gap-6">
        {area.stopped && <Alert tone="warning" text={REASONS[area.stopped]} live={false} />}
        {!isCademi && area.linked === 0 && (
          <Alert
            tone="warning"
            text="Nenhum produto está ligado a uma turma: nada é liberado ainda. Diga na configuração que turma cada um libera."
            live={false}
          />
        )}
        {current === "envios" && loaded.log && (
          <>
            <MemberControls area={{ ...area, test: reply?.typed ?? area.test }} items={choices.items} />
            <DeliveryLog
              log={loaded.log}
              at={(query) => paths.memberArea(area.id, query)}
              today={loaded.today}
              copies={COPIES[area.kind]}
            />
          </>
        )}
        {current === "configuracao" && <Settings loaded={loaded} reply={result} />}
        {current === "produtos" && isCademi && (
          <>
            <Steps />
            <Codes form="standard" codes={choices.codes} text="O código que cada produto leva na entrega." />
          </>
        )}
      </div>
    </Screen>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

function Settings({ loaded, reply }: { loaded: Loaded; reply: FormReply | null }) {
  const { values, key, onSaved } = useRestoredForm("member-area", loaded);
  const { products, items } = values.choices;
  return (
    <MemberForm
      key={key}
      defaults={values.defaults}
      version={values.version}
      reload={paths.memberArea(loaded.area.id, "tab=configuracao")}
      known={values.area.known}
      {...{ products, items, reply, onSaved }}
      submit="Salvar área"
    />
  );
}

/** What has to be configured at Cademí, which decides what a delivery opens. */
function Steps() {
  return (
    <Card title="Ligar os produtos na Cademí">
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
        <li>Na Cademí, abra a entrega que o produto libera.</li>
        <li>Ligue a ela o código do produto abaixo. Ofertas adicionais e upsells têm códigos próprios.</li>
        <li>Envie um teste com o seu e-mail e confira se o acesso chegou.</li>
      </ol>
    </Card>
  );
}

const REASONS = {
  seller:
    "Esta área está pausada: as vendas de agora não liberam acesso lá, mas ficam no registro. Ao reativar, reenvie o período.",
  failing: "Pausada: por três dias nada foi aceito. Confira a configuração, reative e reenvie o que faltou.",
  gone: "Pausada: o serviço respondeu que não recebe mais.",
  token:
    "Pausada: o serviço não aceita a chave. Salve outra na configuração, reative e reenvie o que faltou.",
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.area.name ?? "Área de membros"} · Checkintelli` },
];
