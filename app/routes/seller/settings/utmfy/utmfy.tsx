import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { Bug } from "lucide-react";
import { showTracking } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { postTracking, postTrackingTest } from "#app/routes/seller/settings/utmfy/actions.server.ts";
import type { TrackingFields } from "#app/routes/seller/settings/utmfy/fields.ts";
import {
  TrackedProducts,
  TrackingConnection,
  TrackingEvents,
} from "#app/routes/seller/settings/utmfy/parts.tsx";
import { withIntent } from "#app/server/forms/conflict.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { readResumedForm } from "#app/server/session/recent-sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const { connection, products, version } = await showTracking(seller.id);
  return {
    version,
    connection,
    products: products.map(({ id, name, priceCents, isActive, isEnabled }) => ({
      id: String(id),
      name,
      price: formatMoney(priceCents),
      isActive,
      isEnabled,
    })),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const posting = await readResumedForm(request, seller, await readPostedForm(request, MAX_SELLER_BODY));
  const form = withIntent(posting);
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
      text="Informe suas vendas à UTMify para saber que anúncio trouxe cada uma."
      save={{ form: "tracking", intent: "save", label: "Salvar configurações" }}
      action={
        <Link to={paths.trackingDebug()} className="btn min-h-11 border-base-300">
          <Bug className="size-4" aria-hidden="true" />
          Debug
        </Link>
      }
    >
      {testResult && (
        <Outcome about={testResult} tone={testResult.success ? "success" : "error"}>
          <p>{testResult.message}</p>
          <noscript>
            <p className="mt-1">
              Por segurança, o token digitado não volta à página: digite-o de novo ao salvar.
            </p>
          </noscript>
        </Outcome>
      )}
      <TrackingForm key={key} loaded={values} reply={reply?.result ?? null} onSaved={onSaved} />
    </Screen>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;
type Reply = { testResult: { success: boolean; message: string } | null; result: FormReply | null };

function TrackingForm(props: { loaded: Loaded; reply: FormReply | null; onSaved: () => void }) {
  const { loaded, reply, onSaved } = props;
  const { connection, products } = loaded;
  const [form, fields] = useForm<TrackingFields>({
    id: "tracking",
    lastResult: reply,
    defaultValue: {
      is_enabled: connection.enabled,
      api_token: connection.token,
      api_url: connection.apiUrl,
      source_id: connection.sourceId,
      ...connection.events,
      products: products.filter((product) => product.isEnabled).map((product) => product.id),
    },
  });
  return (
    <RestoredForm
      {...getFormProps(form)}
      version={loaded.version}
      {...{ reply, onSaved }}
      intent="save"
      reload={paths.trackingSettings()}
      className="flex flex-col gap-6"
    >
      <FormErrors
        errors={form.errors}
        fields={[
          [fields.api_token, "Token da API"],
          [fields.api_url, "Endereço da API"],
        ]}
      />
      {connection.enabled && !connection.token && (
        <Alert tone="warning" text="O rastreamento está ligado, mas sem token da API: nada é informado." />
      )}
      <TrackingConnection fields={fields} />
      <TrackingEvents fields={fields} />
      <TrackedProducts
        products={products}
        name={fields.products.name}
        on={fields.products.initialValue as string[] | undefined}
      />
      <SubmitButton intent="save" className="btn-primary self-start lg:hidden">
        Salvar configurações
      </SubmitButton>
    </RestoredForm>
  );
}

export const meta: MetaFunction = () => [{ title: "Rastreamento UTMify · Checkintelli" }];
