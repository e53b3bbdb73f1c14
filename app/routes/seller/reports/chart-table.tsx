import { useId } from "react";
import type { ChartPoint } from "#app/domain/reports/figures/chart-points.ts";
import { formatMoney } from "#app/kit/money.ts";
import { span } from "#app/routes/seller/reports/chart-text.ts";

/** The chart's numbers, for screen readers and for reading all of them. */
export function NumbersTable({ points }: { points: ChartPoint[] }) {
  const id = useId();
  return (
    <details className="mt-4">
      <summary className="link link-hover flex min-h-11 w-fit cursor-pointer items-center text-sm" id={id}>
        Ver os números em tabela
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="max-h-80 overflow-auto" tabIndex={0} aria-labelledby={id}>
        <table className="table-sm table">
          <thead>
            <tr>
              <th scope="col">Data</th>
              <th scope="col" className="text-right">
                Vendas
              </th>
              <th scope="col" className="text-right">
                Receita
              </th>
              <th scope="col" className="text-right">
                Vendas antes
              </th>
              <th scope="col" className="text-right">
                Receita antes
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.first}>
                <th scope="row" className="whitespace-nowrap font-normal">
                  {span(point)}
                </th>
                <td className="text-right">{point.sales.toLocaleString("pt-BR")}</td>
                <td className="whitespace-nowrap text-right">{formatMoney(point.revenueCents)}</td>
                <td className="text-right">{point.previousSales.toLocaleString("pt-BR")}</td>
                <td className="whitespace-nowrap text-right">{formatMoney(point.previousRevenueCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
