import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Plus, Webhook } from "lucide-react";
import { deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { listWebhooks } from "#app/domain/delivery/webhook/list-webhooks.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { DestinationRow, plural } from "#app/routes/seller/settings/webhooks/destination-row.tsx";
import { FORM_NAMES } from "#app/routes/seller/settings/webhooks/fields.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const webhooks = await listWebhooks(seller.id);
  return {
    webhooks: webhooks.map(({ id, name, url, form, events, productIds, stopped, failingSince, last }) => ({
      id,
      name,
      host: new URL(url).host,
      form,
      events: events.length,
      products: productIds?.length ?? null,
      stopped: stopped?.reason ?? null,
      failing: failingSince !== null,
      last: last && { at: formatDateTime(last.at), outcome: deliveryText(last) },
    })),
  };
}

export default function Webhooks() {
  const { webhooks } = useLoaderData<typeof loader>();
  return (
    <Screen
      width="form"
      back={{ to: paths.integrations(), label: "Integrações" }}
      title="Webhooks"
      text="Outros sistemas avisados a cada venda: área de membros, CRM, robô de WhatsApp, planilha."
      action={
        <Link to={paths.newWebhook()} className="btn btn-primary min-h-11">
          <Plus className="size-4" aria-hidden="true" />
          Novo webhook
        </Link>
      }
    >
      <Card flush>
        {webhooks.length === 0 ? (
          <EmptyState
            icon={Webhook}
            title="Nenhum webhook ainda"
            text="Cole o endereço que a sua ferramenta mostra e escolha o que ela deve saber. Vem da Kiwify ou da Hotmart? Mantemos o formato delas."
          />
        ) : (
          <ul className="-mt-4 divide-y divide-base-300">
            {webhooks.map((webhook) => (
              <DestinationRow
                key={webhook.id}
                to={paths.webhook(webhook.id)}
                name={webhook.name}
                stopped={webhook.stopped}
                failing={webhook.failing}
                where={webhook.host}
                summary={[
                  FORM_NAMES[webhook.form],
                  plural(webhook.events, "evento"),
                  webhook.products === null ? "todos os produtos" : plural(webhook.products, "produto"),
                ].join(" · ")}
                last={
                  webhook.last
                    ? `Último envio: ${webhook.last.outcome.label.toLowerCase()} em ${webhook.last.at}`
                    : "Nada enviado ainda"
                }
              />
            ))}
          </ul>
        )}
      </Card>
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Webhooks · Checkintelli" }];
