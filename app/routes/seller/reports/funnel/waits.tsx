import { Clock } from "lucide-react";
import { formatPercent, percentOf } from "#app/domain/reports/figures/percent.ts";
import { capitalize } from "#app/kit/clean-text.ts";
import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { WAIT_LABELS } from "#app/routes/seller/reports/funnel/texts.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";

/** How long buyers took from their first view to the payment. */
export function Waits({ report: { waits, paid } }: { report: FunnelReport }) {
  const measured = waits.reduce((sum, count) => sum + count, 0);
  return (
    <Card
      title="Da visita ao pagamento"
      text="Quanto tempo passou desde que a aba mostrou o checkout pela primeira vez. Quem pediu sem JavaScript ou pela API não entra."
    >
      {measured === 0 ? (
        <EmptyState
          icon={Clock}
          title={paid === 0 ? "Nenhum pagamento ainda" : "Nenhum destes pagamentos tem o tempo contado"}
        />
      ) : (
        <ul className="flex flex-col gap-2.5 text-sm">
          {waits.map((count, at) => {
            const share = percentOf(count, measured);
            return (
              <li
                key={WAIT_LABELS[at]}
                className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[13rem_1fr_6rem]"
              >
                <span>{capitalize(WAIT_LABELS[at]!)}</span>
                <span className="text-right tabular-nums sm:order-3">
                  {count.toLocaleString("pt-BR")}
                  <span className="text-base-content/70"> · {formatPercent(share)}</span>
                </span>
                <span
                  className="col-span-2 block h-2 overflow-hidden rounded-full bg-base-200 sm:col-span-1"
                  aria-hidden="true"
                >
                  <span className="block h-full rounded-full bg-primary/60" style={{ width: `${share}%` }} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
