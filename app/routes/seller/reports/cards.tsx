import { ArrowDown, ArrowUp, Equal } from "lucide-react";
import { formatPercent } from "#app/domain/reports/figures/percent.ts";
import { formatMoney } from "#app/kit/money.ts";
import { Figures } from "#app/routes/seller/reports/figure.tsx";
import type { SalesReport } from "#app/routes/seller/reports/sales.server.ts";

/** The four figures of a period, each with its meaning and its change. */
export function SalesCards({ report }: { report: SalesReport }) {
  const { stats, before, days } = report;
  const since = `que nos ${days} dias anteriores`;
  return (
    <Figures
      items={[
        {
          label: "Total de Vendas",
          value: stats.sales.toLocaleString("pt-BR"),
          meaning: "Pagas no período e ainda concluídas: sem as reembolsadas e as contestadas.",
          more: <Trend change={growth(stats.sales, before.sales)} since={since} />,
        },
        {
          label: "Receita Total",
          value: formatMoney(stats.revenueCents),
          meaning: `Soma do valor dessas vendas. Líquido, sem devoluções e sem as taxas que o provedor informou: ${formatMoney(stats.netCents)}. ${feesText(stats)} Pagamentos em dobro ou de outro valor dessas vendas contam no líquido até você os devolver; os de pedidos sem venda concluída aparecem só na Conciliação.`,
          more: <Trend change={growth(stats.revenueCents, before.revenueCents)} since={since} />,
        },
        {
          label: "Total de Clientes",
          value: stats.customers.toLocaleString("pt-BR"),
          meaning: "E-mails diferentes entre os compradores dessas vendas.",
        },
        {
          label: "Taxa de Conversão",
          value: stats.conversion === null ? "–" : formatPercent(stats.conversion),
          meaning: "Dos pedidos criados no período, quantos estão concluídos.",
          more: <Trend change={points(stats.conversion, before.conversion)} since={since} />,
        },
      ]}
    />
  );
}

/** Nothing estimated is called a fee. */
function feesText({ sales, feeCents, salesWithoutFee }: SalesReport["stats"]): string {
  if (sales === 0) return "";
  const known = `Taxas informadas: ${formatMoney(feeCents)}`;
  if (salesWithoutFee === 0) return `${known}.`;
  const missing =
    salesWithoutFee === 1
      ? "falta a de 1 venda"
      : `faltam as de ${salesWithoutFee.toLocaleString("pt-BR")} vendas`;
  return `${known}; ${missing}.`;
}

type Change = { by: number; text: string } | null;

function growth(now: number, before: number): Change {
  if (before === 0) return null;
  const by = Math.round(((now - before) / before) * 1000) / 10;
  if (by === 0 && now !== before) return { by: now - before, text: `menos de ${percent(0.1)}%` };
  if (by === -100 && now > 0) return { by, text: `mais de ${percent(99.9)}%` };
  return { by, text: `${percent(Math.abs(by))}%` };
}

function points(now: number | null, before: number | null): Change {
  if (now === null || before === null) return null;
  const by = Math.round((now - before) * 10) / 10;
  return { by, text: `${percent(Math.abs(by))} p.p.` };
}

/** Always one decimal. */
function percent(value: number): string {
  return value.toLocaleString("pt-BR", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

const TRENDS: Record<number, [typeof Equal, string, string]> = {
  [-1]: [ArrowDown, "text-error", "a menos"],
  0: [Equal, "text-base-content/70", ""],
  1: [ArrowUp, "text-success", "a mais"],
};

function Trend({ change, since }: { change: Change; since: string }) {
  if (!change) return null;
  const { by, text } = change;
  const [Icon, color, label] = TRENDS[Math.sign(by)]!;
  return (
    <dd className="mt-1 flex items-start gap-1 text-xs">
      <Icon className={`mt-px size-3.5 shrink-0 ${color}`} aria-hidden="true" />
      <span>
        {by === 0 ? (
          `Igual aos ${since.replace("que nos ", "")}`
        ) : (
          <>
            <span className={`font-medium ${color}`}>
              {text} {label}
            </span>
            <span className="max-sm:sr-only"> {since}</span>
          </>
        )}
      </span>
    </dd>
  );
}
