import { Link } from "@remix-run/react";
import { ChevronRight } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import type { ReconciliationView } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";

const RESOLUTIONS: Record<"open" | "explained" | "uncheckable", [BadgeTone, string]> = {
  open: ["warning", "A resolver"],
  explained: ["neutral", "Explicada"],
  uncheckable: ["neutral", "Sem conferência"],
};

/** The payments that differ, row by row, each with a link to where it is resolved. */
export function Differences({ view }: { view: ReconciliationView }) {
  const { differences, older, isFirstPage } = view;
  if (differences.length === 0 && isFirstPage) return null;
  const query = (more: Record<string, string>) =>
    paths.reconciliation(
      String(
        new URLSearchParams({ month: view.month, ...(view.day ? { day: view.day.name } : {}), ...more }),
      ),
    );
  return (
    <Card title="Diferenças" text="Do pagamento mais novo ao mais antigo." flush>
      <ul className="divide-y divide-base-300 border-base-300 border-t">
        {differences.map((one) => (
          <Row key={one.id} one={one} />
        ))}
      </ul>
      {(older || !isFirstPage) && (
        <nav aria-label="Páginas" className="flex justify-between gap-2 border-base-300 border-t px-3 py-2">
          {isFirstPage ? (
            <span />
          ) : (
            <Link to={query({})} className="btn btn-ghost min-h-11">
              Voltar ao começo
            </Link>
          )}
          {older && (
            <Link to={query({ before: older })} className="btn btn-ghost min-h-11">
              Mais antigas
              <ChevronRight className="size-4" aria-hidden="true" />
            </Link>
          )}
        </nav>
      )}
    </Card>
  );
}

function Row({ one }: { one: ReconciliationView["differences"][number] }) {
  const [tone, label] = RESOLUTIONS[one.resolution];
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-5 py-3 text-sm hover:bg-base-200/60">
      <span className="min-w-0 break-words font-medium">{one.title}</span>
      <span className="justify-self-end whitespace-nowrap font-medium tabular-nums">{one.amount}</span>
      <span className="min-w-0 text-base-content/80 max-sm:order-1 max-sm:col-span-2">{one.advice}</span>
      <span className="justify-self-end max-sm:col-span-2 max-sm:justify-self-start">
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="col-span-2 min-w-0 break-words text-base-content/70 max-sm:order-1">
        <Link
          to={paths.sale(one.saleId)}
          aria-label={`Abrir a venda de ${one.buyer}`}
          className="link after:absolute after:inset-0"
        >
          {one.buyer}
        </Link>
        {` · ${[one.product, one.at, one.provider].filter(Boolean).join(" · ")}`}
        {one.key && (
          <>
            {" · "}
            <Link to={paths.settings("gateways")} className="link relative">
              {one.key}
            </Link>
          </>
        )}
      </span>
    </li>
  );
}
