import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { Bug } from "lucide-react";
import { readProductSearch } from "#app/domain/delivery/list-product-choices.server.ts";
import { utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import {
  postTracking,
  postTrackingTest,
  trackingValues,
} from "#app/routes/seller/settings/utmfy/actions.server.ts";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { withTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { DestinationForm } from "#app/ui/seller/destination/form.tsx";
import { ProductSearchForm } from "#app/ui/seller/destination/product-search.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const search = readProductSearch(new URL(request.url).searchParams.get("produto"));
  const { values, products, isMore, version } = await trackingValues(seller.id, search);
  const switched = products.map(({ id, name, priceCents, isActive }) => ({
    ...{ id: String(id), name, price: formatMoney(priceCents), isActive },
  }));
  return {
    version,
    values,
    cards: utmify.cards,
    text: utmify.text,
    choices: { switched, search: { text: search, isMore } },
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const posting = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  const form = withTypedSecrets(seller.id, withIntent(posting));
  const posted = { seller, form, request };
  return form.get("intent") === "test" ? postTrackingTest(posted) : postTracking(posted);
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const answer = serverAction<typeof action>();
  if (intent !== "test") {
    const result = { status: "error" as const, error: { "": ["Erro ao salvar configurações"] } };
    return orUnreachable(answer, { testResult: null, result });
  }
  const message = "Erro de conexão ao testar UTMfy";
  return orUnreachable(answer, { testResult: { success: false, message }, result: null });
}

export const shouldRevalidate = unlessUnreachable;

export default function TrackingSettings() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>() as Reply | undefined;
  const { values, key, onSaved } = useRestoredForm("tracking", loaded);
  const testResult = reply?.testResult;
  return (
    <Screen
      width="form"
      back={{ to: paths.integrations(), label: "Integrações" }}
      title="Rastreamento UTMify"
      text={loaded.text}
      save={{ form: "tracking", intent: "save", label: "Salvar configurações" }}
      action={
        <Link to={paths.trackingDebug()} className="btn min-h-11 border-base-300">
          <Bug className="size-4" aria-hidden="true" />
          Debug
        </Link>
      }
    >
      {testResult && (
        <Outcome
          about={testResult}
          tone={testResult.success ? "success" : "error"}
          text={testResult.message}
        />
      )}
      <ProductSearchForm />
      <DestinationForm
        key={`${key} ${loaded.choices.search.text}`}
        id="tracking"
        {...values}
        reply={reply?.result ?? null}
        onSaved={onSaved}
        reload={paths.trackingSettings(loaded.choices.search.text)}
        submit="Salvar configurações"
        notice={
          values.values.is_enabled &&
          !values.values.api_token && (
            <Alert
              tone="warning"
              text="O rastreamento está ligado, mas sem token da API: nada é informado."
            />
          )
        }
      />
    </Screen>
  );
}

type Reply = { testResult: { success: boolean; message: string } | null; result: FormReply | null };

export const meta: MetaFunction = () => [{ title: "Rastreamento UTMify · Checkintelli" }];
