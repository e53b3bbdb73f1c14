import { useNavigation } from "@remix-run/react";
import { ChartColumn } from "lucide-react";
import { Breakdowns } from "#app/routes/seller/reports/breakdowns.tsx";
import { SalesCards } from "#app/routes/seller/reports/cards.tsx";
import { SalesChart } from "#app/routes/seller/reports/chart.tsx";
import type { SalesReport } from "#app/routes/seller/reports/sales.server.ts";
import { SalesTable } from "#app/routes/seller/reports/table.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";

/** The sales of a period: figures, chart, the list, and breakdowns. */
export function SalesTab({ report }: { report: SalesReport }) {
  const navigation = useNavigation();
  const waiting = navigation.state === "loading" && navigation.location.pathname === "/reports";
  const hasSales = report.points.some((point) => point.sales > 0 || point.previousSales > 0);
  return (
    <div
      aria-busy={waiting || undefined}
      className={`flex flex-col gap-6 ${waiting ? "opacity-60 transition-opacity delay-150" : ""}`}
    >
      <SalesCards report={report} />
      <Card
        title={report.range === "1y" ? "Vendas por semana" : "Vendas por dia"}
        text={`Comparadas com os ${report.days} dias anteriores. Contam no dia em que foram pagas.`}
      >
        {hasSales ? (
          <SalesChart points={report.points} days={report.days} />
        ) : (
          <EmptyState icon={ChartColumn} title="Nenhum dado disponível para o período selecionado" />
        )}
      </Card>
      <SalesTable report={report} />
      {report.stats.sales > 0 && <Breakdowns report={report} />}
    </div>
  );
}
