import { Link, useSearchParams } from "@remix-run/react";
import { ReceiptText, Search } from "lucide-react";
import type { ReactNode } from "react";
import { methodLabel } from "#app/domain/reports/labels.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Choice, FilterForm } from "#app/routes/seller/reports/filter.tsx";
import { Pager } from "#app/routes/seller/reports/pager.tsx";
import { ResendButton } from "#app/routes/seller/reports/resend.tsx";
import type { SalesReport } from "#app/routes/seller/reports/sales.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { StatusBadge } from "#app/ui/seller/status-badge.tsx";

const STATUSES = [
  ["all", "Todos os status"],
  ["completed", "Concluídas"],
  ["pending", "Pendentes"],
  ["failed", "Falharam"],
  ["cancelled", "Canceladas"],
  ["refunded", "Reembolsadas"],
  ["chargedback", "Contestadas"],
] as const;

/** The sales begun in the period: filter, list, pages. */
export function SalesTable({ report }: { report: SalesReport }) {
  return (
    <Card title="Vendas recentes" text="Criadas no período, pagas ou não." flush>
      <Filter report={report} />
      {report.sales.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          title="Nenhuma venda encontrada"
          text="Mude o período ou o filtro para ver outras vendas."
        />
      ) : (
        <Sales sales={report.sales} />
      )}
      <Pager newer={report.newer} older={report.older} />
    </Card>
  );
}

function Filter({ report }: { report: SalesReport }) {
  return (
    <FilterForm
      range={report.range}
      className="grid gap-2 border-base-300 border-b px-5 pb-4 sm:flex sm:flex-wrap"
    >
      <Choice label="Status" name="status" value={report.status} width="sm:w-44">
        {STATUSES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Choice>
      <Choice label="Produto" name="product" value={report.productId} width="sm:w-52">
        <option value="">Todos os produtos</option>
        {report.products.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <div className="flex gap-2 sm:min-w-64 sm:flex-1">
        <input
          key={report.search}
          type="search"
          name="search"
          defaultValue={report.search}
          maxLength={100}
          aria-label="Buscar por cliente, e-mail, transação ou número da venda"
          placeholder="Cliente, e-mail, transação ou venda"
          className="input h-11 w-full min-w-0"
        />
        <button type="submit" className="btn min-h-11">
          <Search className="size-4" aria-hidden="true" />
          Buscar
        </button>
      </div>
    </FilterForm>
  );
}

function Sales({ sales }: { sales: SalesReport["sales"] }) {
  const [query] = useSearchParams();
  return (
    <table className="block w-full text-sm xl:table xl:table-fixed">
      <caption className="sr-only">Vendas recentes</caption>
      <thead className="hidden xl:table-header-group">
        <tr className="border-base-300 border-b text-left text-base-content/70 text-xs">
          <Head width="w-38">Data</Head>
          <Head>Produto</Head>
          <Head>Cliente</Head>
          <Head right width="w-28">
            Valor
          </Head>
          <Head width="w-32">Status</Head>
          <Head width="w-20">Método</Head>
          <Head width="w-44">
            <span className="sr-only">Ações</span>
          </Head>
        </tr>
      </thead>
      <tbody className="block divide-y divide-base-300 xl:table-row-group">
        {sales.map((sale) => (
          <tr
            key={sale.id}
            className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-5 py-3 xl:table-row xl:p-0 xl:hover:bg-base-200/60"
          >
            <td className="order-5 col-span-2 text-base-content/70 text-xs xl:whitespace-nowrap xl:py-2 xl:pl-5 xl:text-base-content xl:text-sm">
              {formatDateTime(sale.createdAt)}
            </td>
            <td
              className="order-1 min-w-0 font-medium break-words xl:truncate xl:px-3 xl:py-2"
              title={sale.productName}
            >
              {sale.productName}
            </td>
            <td className="order-3 min-w-0 xl:px-3 xl:py-2">
              <span
                className={`wrap-anywhere block ${sale.customerEmail ? "xl:truncate" : ""}`}
                title={sale.customerName ?? undefined}
              >
                {sale.customerName ?? "Sem nome"}
              </span>
              <span
                className="wrap-anywhere block text-base-content/70 text-xs xl:truncate"
                title={sale.customerEmail ?? undefined}
              >
                {sale.customerEmail}
              </span>
            </td>
            <td className="order-2 whitespace-nowrap text-right font-medium xl:px-3 xl:py-2">
              {formatMoney(sale.amountCents)}
            </td>
            <td className="order-4 text-right xl:px-3 xl:py-2 xl:text-left">
              <StatusBadge status={sale.status} />
            </td>
            <td className="hidden xl:table-cell xl:px-3 xl:py-2">{methodLabel(sale.paymentMethod)}</td>
            <td className="order-6 col-span-2 max-xl:-mt-9 max-xl:-mr-3 whitespace-nowrap justify-self-end text-right xl:py-1 xl:pr-3">
              <Link
                to={paths.sale(sale.id, query.toString())}
                preventScrollReset
                className="btn btn-ghost btn-sm min-h-11 px-2"
              >
                Detalhes
                <span className="sr-only">
                  {" "}
                  da venda de {sale.customerName ?? sale.customerEmail ?? "cliente sem nome"}
                </span>
              </Link>
              {sale.status === "completed" && sale.customerEmail && (
                <ResendButton saleId={sale.id} to={sale.customerEmail} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ children, right, width }: { children: ReactNode; right?: boolean; width?: string }) {
  return (
    <th
      scope="col"
      className={`px-3 py-2 font-medium first:pl-5 ${width ?? ""} ${right ? "text-right" : ""}`}
    >
      {children}
    </th>
  );
}
