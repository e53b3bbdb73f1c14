import type { FunnelReport, FunnelRow } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { Card } from "#app/ui/seller/card.tsx";

/** The funnel's numbers by campaign, product and device, except those already filtered by. */
export function FunnelParts({ report }: { report: FunnelReport }) {
  return (
    <>
      {report.campaign === null && (
        <Card
          title="Por campanha"
          text={`utm_source e utm_campaign do link com que chegaram, as ${report.hasViews ? "mais vistas" : "com mais pedidos"} primeiro.`}
          flush
        >
          <Table name="Campanha" rows={report.byCampaign} hasViews={report.hasViews} />
        </Card>
      )}
      {report.productId === null && (
        <Card title="Por produto" flush>
          <Table name="Produto" rows={report.byProduct} hasViews={report.hasViews} />
        </Card>
      )}
      {report.device === null && (
        <Card title="Por aparelho" flush>
          <Table name="Aparelho" rows={report.byDevice} hasViews={report.hasViews} />
        </Card>
      )}
    </>
  );
}

const COLUMNS = [
  ["seen", "Visto", "visto", "vistos"],
  ["begun", "Começado", "começado", "começados"],
  ["pix", "Pedido", "pedido", "pedidos"],
  ["paid", "Pago", "pago", "pagos"],
] as const;

function Table({ name, rows, hasViews }: { name: string; rows: FunnelRow[]; hasViews: boolean }) {
  const columns = hasViews ? COLUMNS : COLUMNS.slice(2);
  return (
    <table className="block w-full text-sm sm:table sm:table-fixed">
      <thead className="hidden sm:table-header-group">
        <tr className="border-base-300 border-b text-base-content/70 text-xs">
          <th scope="col" className="py-2 pr-3 pl-5 text-left font-medium">
            {name}
          </th>
          {columns.map(([key, label]) => (
            <th key={key} scope="col" className="w-24 px-3 py-2 text-right font-medium">
              {label}
            </th>
          ))}
          <th scope="col" className="w-28 py-2 pr-5 pl-3 text-right font-medium">
            Conversão
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-base-300 sm:table-row-group">
        {rows.map((row) => (
          <tr
            key={row.key}
            className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 px-5 py-3 sm:table-row sm:p-0"
          >
            <th scope="row" className="wrap-anywhere min-w-0 text-left font-medium sm:py-2.5 sm:pr-3 sm:pl-5">
              {row.name}
              <span className="mt-1.5 block h-1 overflow-hidden rounded-full bg-base-200" aria-hidden="true">
                <span className="block h-full bg-primary/60" style={{ width: `${row.share}%` }} />
              </span>
            </th>
            <td className="order-2 whitespace-nowrap text-right font-medium tabular-nums sm:hidden">
              {row.conversion ?? "–"}
            </td>
            <td className="order-3 col-span-2 text-base-content/70 text-xs sm:hidden">
              {columns
                .map(([key, , one, more]) => ({ count: row[key], one, more }))
                .filter(({ count }) => count !== null)
                .map(({ count, one, more }) => `${written(count)} ${count === 1 ? one : more}`)
                .join(" · ")}
            </td>
            {columns.map(([key]) => (
              <td key={key} className="hidden px-3 py-2.5 text-right align-top tabular-nums sm:table-cell">
                {written(row[key])}
              </td>
            ))}
            <td className="hidden py-2.5 pr-5 pl-3 text-right align-top font-medium tabular-nums sm:table-cell">
              {row.conversion ?? "–"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function written(count: number | null): string {
  return count === null ? "–" : count.toLocaleString("pt-BR");
}
