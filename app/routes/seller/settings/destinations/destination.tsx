import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { runAction } from "#app/routes/seller/settings/destinations/actions.server.ts";
import { loadDestination } from "#app/routes/seller/settings/destinations/loader.server.ts";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { withTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { ExtraTab } from "#app/ui/seller/destination/extra-tab.tsx";
import { FAMILIES, familyAt } from "#app/ui/seller/destination/families.tsx";
import { DestinationForm } from "#app/ui/seller/destination/form.tsx";
import { DeliveryLog } from "#app/ui/seller/destination/log.tsx";
import { ProductSearchForm } from "#app/ui/seller/destination/product-search.tsx";
import { StateBadge } from "#app/ui/seller/destination/state-badge.tsx";
import { Switch } from "#app/ui/seller/destination/switch.tsx";
import { DestinationTest } from "#app/ui/seller/destination/test.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

/** The family of its address, and the id, whatever its parameter is named. */
function readAddress({ request, params }: Pick<LoaderFunctionArgs, "request" | "params">) {
  const [id = ""] = Object.values(params);
  return { family: familyAt(new URL(request.url).pathname), id };
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { family, id } = readAddress({ request, params });
  const query = new URL(request.url).searchParams;
  return orRefusedPage(request, loadDestination(family, seller, id, query));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const posted = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  const form = withTypedSecrets(seller.id, withIntent(posted));
  return orRefusedPage(request, runAction({ ...readAddress({ request, params }), seller, form, request }));
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const answer = serverAction<typeof action>();
  const nothing = { result: null, testResult: null, secret: null, typed: null };
  const { notSaved } = FAMILIES[familyAt(new URL(request.url).pathname)];
  const result = { status: "error" as const, error: { "": [notSaved] } };
  if (intent === "save") return orUnreachable(answer, { ...nothing, result });
  const testResult = { success: false, message: "Erro de conexão. Tente novamente." };
  return orUnreachable(answer, { ...nothing, testResult });
}

export const shouldRevalidate = unlessUnreachable;

export default function DestinationPage() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  const { family, destination, tab, tabs, log } = loaded;
  const { isStopped } = destination;
  const { formId, title, save, stopped, tabs: label } = FAMILIES[family];
  const result = (reply?.result ?? null) as FormReply | null;
  const current = result ? "configuracao" : reply?.secret ? "receber" : tab;
  const at = (query: string) => paths.destination(family, destination.id, query);
  return (
    <Screen
      width="form"
      back={{ to: paths.destinations(family), label: title }}
      title={destination.name}
      text={destination.address}
      save={current === "configuracao" && { form: formId, intent: "save", label: save }}
      badge={<StateBadge stopped={destination.stopped} failing={destination.failing} />}
    >
      {reply?.testResult && (
        <Outcome
          about={reply.testResult}
          tone={reply.testResult.success ? "success" : "error"}
          text={reply.testResult.message}
        />
      )}
      <LinkTabs
        label={label}
        current={current}
        tabs={tabs.map((one) => ({ ...one, href: at(`tab=${one.id}`) }))}
      />
      <div className="flex flex-col gap-6">
        {destination.stopped && <Alert tone="warning" text={stopped[destination.stopped]} live={false} />}
        {loaded.warning && <Alert tone="warning" text={loaded.warning} live={false} />}
        {current === "envios" && log && (
          <>
            <DestinationTest
              {...{ family, destination }}
              items={loaded.choices.items}
              typed={reply?.typed ?? null}
            />
            <Switch {...{ family, isStopped }} name={destination.name} />
            <DeliveryLog {...{ log, at, isStopped }} today={loaded.today} copies={loaded.copies} />
          </>
        )}
        {current === "configuracao" && <Settings {...{ loaded, reply: result, submit: save }} id={formId} />}
        <ExtraTab {...destination} tab={current} codes={loaded.codes} revealed={reply?.secret ?? null} />
      </div>
    </Screen>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

function Settings(props: { id: string; loaded: Loaded; reply: FormReply | null; submit: string }) {
  const { id, loaded, reply, submit } = props;
  const { values, key, onSaved } = useRestoredForm(id, loaded);
  const { cards, choices, version } = values;
  return (
    <>
      <ProductSearchForm keep={{ tab: "configuracao" }} />
      <DestinationForm
        key={`${key} ${loaded.choices.search?.text}`}
        {...{ id, cards, choices, version, reply, onSaved, submit }}
        values={values.values}
        reload={paths.destination(loaded.family, loaded.destination.id, "tab=configuracao")}
      />
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data, location }) => {
  const family = FAMILIES[familyAt(location.pathname)].tabs;
  if (!data) return [{ title: `${family} · Checkintelli` }];
  const tab = data.tabs.find(({ id }) => id === data.tab);
  const of = `${data.destination.name} · Checkintelli`;
  return [{ title: tab ? `${tab.label} · ${of}` : of }];
};
