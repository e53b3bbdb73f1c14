import { Link, useSearchParams } from "@remix-run/react";
import { Undo2 } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Figures } from "#app/routes/seller/reports/figure.tsx";
import { Pager } from "#app/routes/seller/reports/pager.tsx";
import type { RequestsReport } from "#app/routes/seller/reports/requests.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { REQUEST_BADGES } from "#app/ui/seller/sale/request-badges.ts";

/** Buyers' refund requests: how many, why, and their results. */
export function RequestsTab({ report }: { report: RequestsReport }) {
  const { requests, rate, items } = report;
  return (
    <div className="flex flex-col gap-6">
      <Figures
        wide
        items={[
          {
            label: "Pedidos de Reembolso",
            value: requests.toLocaleString("pt-BR"),
            meaning: "Feitos por compradores no período.",
          },
          {
            label: "Taxa de Pedidos",
            value: rate ?? "–",
            meaning: "Pedidos, para cada venda paga no período.",
          },
        ]}
      />
      <Card title="Pedidos dos compradores" text="Feitos no período, do mais novo ao mais antigo." flush>
        {items.length === 0 ? (
          <EmptyState
            icon={Undo2}
            title="Nenhum pedido de reembolso"
            text="Quem compra pede em Minhas compras. No prazo da garantia que o seu checkout mostra, o dinheiro volta sem a sua resposta, enquanto o provedor ainda devolve (PIX: 90 dias, cartão: 180)."
          />
        ) : (
          <ul className="divide-y divide-base-300 border-base-300 border-t">
            {items.map((item) => (
              <Request key={item.id} item={item} />
            ))}
          </ul>
        )}
        <Pager newer={report.newer} older={report.older} />
      </Card>
    </div>
  );
}

function Request({ item }: { item: RequestsReport["items"][number] }) {
  const [query] = useSearchParams();
  const [tone, label] = REQUEST_BADGES[item.state];
  return (
    <li>
      <Link
        to={paths.sale(item.saleId, query.toString())}
        preventScrollReset
        className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-5 py-3 text-sm hover:bg-base-200/60"
      >
        <span className="min-w-0 break-words font-medium">{item.buyer}</span>
        <span className="justify-self-end whitespace-nowrap tabular-nums">{item.amount}</span>
        <span className="min-w-0 break-words text-base-content/70">
          {item.product} · {item.at}
        </span>
        <span className="justify-self-end">
          <Badge tone={tone}>{label}</Badge>
        </span>
        <span className="col-span-2 whitespace-pre-line break-words">
          {item.reason ??
            (!item.isErased && <span className="text-base-content/70">Sem motivo escrito.</span>)}
        </span>
        {item.state === "waiting" && (
          <span className="col-span-2 text-base-content/70 text-xs">
            {item.isLate ? `O prazo para responder terminou em ${item.due}.` : `Responda até ${item.due}.`}
          </span>
        )}
      </Link>
    </li>
  );
}
