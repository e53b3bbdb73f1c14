import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ArrowLeft, ChevronRight, Plus, Webhook } from "lucide-react";
import { wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { listWebhooks } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { FORM_NAMES } from "#app/routes/seller/settings/webhooks/fields.ts";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { PageHeader } from "#app/ui/seller/frame/page-header.tsx";
import { requireSeller } from "#app/web/session/guards.server.ts";

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
      stopped: stopped?.why ?? null,
      failing: failingSince !== null,
      last: last && { at: formatDateTime(last.at), words: wordsOf(last) },
    })),
  };
}

export default function Webhooks() {
  const { webhooks } = useLoaderData<typeof loader>();
  return (
    <div className="max-w-3xl">
      <Link to={paths.settings("gateways")} className="btn btn-ghost -ml-3 mb-2 min-h-11">
        <ArrowLeft className="size-4" aria-hidden="true" />
        Configurações
      </Link>
      <PageHeader
        title="Webhooks"
        text="Outros sistemas avisados a cada venda: área de membros, CRM, robô de WhatsApp, planilha."
        action={
          <Link to={paths.newWebhook()} className="btn btn-primary min-h-11">
            <Plus className="size-4" aria-hidden="true" />
            Novo webhook
          </Link>
        }
      />
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
              <li key={webhook.id}>
                <Link
                  to={paths.webhook(webhook.id)}
                  className="flex min-h-16 items-center gap-3 px-5 py-4 hover:bg-base-200"
                >
                  <span className="min-w-0 flex-1">
                    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                      <span className="min-w-0 break-words font-medium">{webhook.name}</span>
                      <StateBadge {...webhook} />
                    </span>
                    <span className="mt-0.5 block break-all text-base-content/70 text-sm">
                      {webhook.host}
                    </span>
                    <span className="mt-1 block text-base-content/70 text-xs">
                      {FORM_NAMES[webhook.form]} · {plural(webhook.events, "evento")} ·{" "}
                      {webhook.products === null ? "todos os produtos" : plural(webhook.products, "produto")}
                    </span>
                    <span className="mt-1 block text-base-content/70 text-xs">
                      {webhook.last
                        ? `Último envio: ${webhook.last.words.label.toLowerCase()} em ${webhook.last.at}`
                        : "Nada enviado ainda"}
                    </span>
                  </span>
                  <ChevronRight className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

function plural(n: number, word: string): string {
  return n === 1 ? `1 ${word}` : `${n} ${word}s`;
}

export const meta: MetaFunction = () => [{ title: "Webhooks · Checkintelli" }];
