import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ArrowLeft, Bug } from "lucide-react";
import { listTrackedProducts } from "#app/domain/tracking/product-list.server.ts";
import { showConnection } from "#app/domain/tracking/show-connection.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { postTracking, postTrackingTest } from "#app/routes/seller/settings/utmfy/actions.server.ts";
import type { TrackingFields } from "#app/routes/seller/settings/utmfy/fields.ts";
import {
  TrackedProducts,
  TrackingConnection,
  TrackingEvents,
} from "#app/routes/seller/settings/utmfy/parts.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { PageHeader } from "#app/ui/seller/frame/page-header.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { postedForm } from "#app/web/forms.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const [connection, products] = await Promise.all([
    showConnection(seller.id),
    listTrackedProducts(seller.id),
  ]);
  return {
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
  const form = await postedForm(request, SELLERS_BODY);
  const posted = { seller, form, request };
  return form.get("intent") === "test" ? postTrackingTest(posted) : postTracking(posted);
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const intent = (await request.clone().formData()).get("intent");
  const message = intent === "test" ? "Erro de conexão ao testar UTMfy" : "Erro ao salvar configurações";
  return orUnreachable(serverAction<typeof action>(), { tried: { success: false, message }, result: null });
}

export const shouldRevalidate = unlessUnreachable;

export default function TrackingSettings() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <div className="max-w-3xl">
      <Link to={paths.settings("gateways")} className="btn btn-ghost -ml-3 mb-2 min-h-11">
        <ArrowLeft className="size-4" aria-hidden="true" />
        Configurações
      </Link>
      <PageHeader
        title="Rastreamento UTMfy"
        text="Informe suas vendas à UTMify para saber que anúncio trouxe cada uma."
        action={
          <Link to={paths.trackingDebug()} className="btn min-h-11 border-base-300">
            <Bug className="size-4" aria-hidden="true" />
            Debug
          </Link>
        }
      />
      <TrackingForm key={JSON.stringify(loaded)} loaded={loaded} reply={reply ?? null} />
    </div>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;
type Reply = { tried: { success: boolean; message: string } | null; result: SubmissionResult | null } | null;

function TrackingForm({ loaded, reply }: { loaded: Loaded; reply: Reply }) {
  const { connection, products } = loaded;
  const [form, fields] = useForm<TrackingFields>({
    id: "tracking",
    lastResult: reply?.result ?? null,
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
    <Form method="post" {...getFormProps(form)} className="flex flex-col gap-6">
      <FormErrors
        errors={form.errors}
        fields={[
          [fields.api_token, "Token da API"],
          [fields.api_url, "Endereço da API"],
        ]}
      />
      {connection.enabled && !connection.token && (
        <Notice tone="warning" text="O rastreamento está ligado, mas sem token da API: nada é informado." />
      )}
      {/* Enter saves: the first submit button of a form is the one that Enter presses. */}
      <button type="submit" name="intent" value="save" className="hidden" tabIndex={-1} aria-hidden="true" />
      <TrackingConnection fields={fields} tried={reply?.tried ?? null} />
      <TrackingEvents fields={fields} />
      <TrackedProducts
        products={products}
        name={fields.products.name}
        on={fields.products.initialValue as string[] | undefined}
      />
      <SubmitButton intent="save" className="btn-primary self-start">
        Salvar configurações
      </SubmitButton>
    </Form>
  );
}

export const meta: MetaFunction = () => [{ title: "Rastreamento UTMfy · Checkintelli" }];
