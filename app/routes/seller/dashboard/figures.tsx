import { Link } from "@remix-run/react";
import type { DashboardFigures, SalesTotal } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { formatChange, formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { RevenueLine } from "#app/routes/seller/dashboard/revenue-line.tsx";

/** Sales: the figures, each with its last thirty days. */
export function Figures(props: { figures: DashboardFigures; counted: { active: number; total: number } }) {
  const { stats, previousTotal: before, points } = props.figures;
  const { active, total } = props.counted;
  return (
    <section
      aria-label="Vendas"
      className="grid grid-cols-1 overflow-hidden rounded-box border border-base-300 bg-base-100 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <dl className="grid grid-cols-2 border-base-300 max-lg:border-b lg:grid-cols-1 lg:border-r">
        <Figure label="Vendas hoje" sold={stats.today} first />
        <Figure label="Últimos 7 dias" sold={stats.sevenDays} />
        <Figure label="Últimos 30 dias" sold={stats.thirtyDays} />
        <div className="col-span-2 grid grid-cols-[1fr_auto_auto] items-baseline gap-x-1.5 px-4 pt-2 pb-4 sm:px-6 lg:col-span-1 lg:grid-cols-[auto_1fr] lg:py-3">
          <dt className="text-base-content/70 text-sm lg:col-span-2">Produtos ativos</dt>
          <dd className="font-semibold tabular-nums">{active.toLocaleString("pt-BR")}</dd>
          <dd className="text-base-content/70 text-sm tabular-nums">
            de {total.toLocaleString("pt-BR")} no total
          </dd>
        </div>
      </dl>
      <div className="flex min-w-0 flex-col p-4 sm:p-6">
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <div>
            <h2 className="font-semibold">Receita por dia</h2>
            <p className="mt-1 text-base-content/70 text-sm">{compared(stats.thirtyDays, before)}</p>
          </div>
          <Link
            to={paths.reports("range=30d")}
            className="link link-hover -my-3 inline-flex min-h-11 items-center font-medium text-primary text-sm"
          >
            Ver relatório
          </Link>
        </div>
        <RevenueLine points={points} />
      </div>
    </section>
  );
}

const CELL = "flex min-w-0 flex-col justify-center px-4 py-3 sm:px-6 lg:border-base-300 lg:border-b";

function Figure({ label, sold, first }: { label: string; sold: SalesTotal; first?: boolean }) {
  return (
    <div className={`${CELL} ${first ? "max-lg:col-span-2 max-lg:pt-5" : ""}`}>
      <dt className="text-base-content/70 text-sm">{label}</dt>
      <dd
        className={`break-words font-semibold tabular-nums tracking-tight ${first ? "text-3xl" : "text-lg sm:text-xl"}`}
      >
        {formatMoney(sold.totalCents)}
      </dd>
      <dd className="text-base-content/70 text-sm tabular-nums">{countSales(sold.count)}</dd>
    </div>
  );
}

function countSales(count: number): string {
  return count === 1 ? "1 venda" : `${count.toLocaleString("pt-BR")} vendas`;
}

/** The thirty days compared with the thirty before. */
function compared(now: SalesTotal, before: SalesTotal): string {
  if (now.totalCents === 0 && before.totalCents === 0) return "A linha começa com a primeira venda paga.";
  if (before.totalCents === 0)
    return `Nos 30 dias anteriores não houve ${before.count === 0 ? "vendas" : "vendas pagas"}.`;
  if (now.totalCents === before.totalCents) return "Igual aos 30 dias anteriores (tracejados).";
  const direction = now.totalCents > before.totalCents ? "mais" : "menos";
  return `${formatChange(now.totalCents, before.totalCents)} a ${direction} que nos 30 dias anteriores (tracejados).`;
}
