import { Link, useSearchParams } from "@remix-run/react";
import { ReceiptText, Search } from "lucide-react";
import type { ReactNode } from "react";
import { methodLabel } from "#app/domain/reports/labels.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { DayAndTime } from "#app/routes/seller/reports/day-and-time.tsx";
import { Choice, DiscountChoices, FilterForm, ProductChoice } from "#app/routes/seller/reports/filter.tsx";
import { Pager } from "#app/routes/seller/reports/pager.tsx";
import type { SalesReport } from "#app/routes/seller/reports/sales.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { MENU_ITEM, RowMenu } from "#app/ui/seller/row-menu.tsx";
import { ResendAccess } from "#app/ui/seller/sale/resend-access.tsx";
import { StatusBadge } from "#app/ui/seller/status-badge.tsx";

const STATUSES = [
  ["all", "Todos os status"],
  ["completed", "Concluídas"],
  ["pending", "Pendentes"],
  ["failed", "Falharam"],
  ["cancelled", "Canceladas"],
  ["refunded", "Reembolsadas"],
  ["disputed", "Em contestação"],
  ["chargedback", "Chargebacks"],
] as const;

/** The sales created in the period: filter, list, pages. */
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
        <Sales sales={report.sales} methods={report.methods} />
      )}
      <Pager newer={report.newer} older={report.older} />
    </Card>
  );
}

function Filter({ report }: { report: SalesReport }) {
  return (
    <FilterForm range={report.range} className="grid gap-2 px-5 pb-4 sm:flex sm:flex-wrap">
      <Choice label="Status" name="status" value={report.status} width="sm:w-44" options={STATUSES} />
      <ProductChoice report={report} width="sm:w-52" />
      {(report.methods.length > 1 || report.method) && (
        <Choice
          {...{ label: "Método de pagamento", name: "method", value: report.method, width: "sm:w-44" }}
          options={report.methods.map((method) => [method, methodLabel(method)])}
          all="Todos os métodos"
          {...(report.method && { unlisted: methodLabel(report.method) })}
        />
      )}
      <DiscountChoices report={report} widths={{ coupon: "sm:w-44", offer: "sm:w-52" }} />
      <div className="flex gap-2 sm:min-w-64 sm:flex-1">
        <input
          key={report.search}
          type="search"
          name="search"
          defaultValue={report.search}
          maxLength={100}
          aria-label="Buscar por cliente, e-mail, transação ou número da venda"
          placeholder="Cliente ou venda"
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

function Sales({ sales, methods }: { sales: SalesReport["sales"]; methods: SalesReport["methods"] }) {
  const [query] = useSearchParams();
  return (
    <table className="block w-full text-sm xl:table xl:table-fixed">
      <caption className="sr-only">Vendas recentes</caption>
      <thead className="hidden xl:table-header-group">
        <tr className="border-base-300 border-b text-left text-base-content/70 text-xs">
          <Head width="w-30">Data</Head>
          <Head width="w-60">Produto</Head>
          <Head>Cliente</Head>
          <Head right width="w-28">
            Valor
          </Head>
          <Head width="w-32">Status</Head>
          {methods.length > 1 && <Head width="w-22">Método</Head>}
          <Head width="w-16">
            <span className="sr-only">Ações</span>
          </Head>
        </tr>
      </thead>
      <tbody className="block divide-y divide-base-300 border-base-300 border-t xl:table-row-group">
        {sales.map((sale) => (
          <Sale
            key={sale.id}
            sale={sale}
            withMethod={methods.length > 1}
            to={paths.sale(sale.id, query.toString())}
          />
        ))}
      </tbody>
    </table>
  );
}

/** On a phone a row of three lines: amount and status, product, buyer and time. */
function Sale(props: { sale: SalesReport["sales"][number]; withMethod: boolean; to: string }) {
  const { sale, to } = props;
  const buyer = sale.customerName ?? sale.customerEmail ?? "cliente sem nome";
  return (
    <tr className="relative grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-3 gap-y-0.5 py-2.5 pr-1 pl-5 hover:bg-base-200/60 xl:static xl:table-row xl:p-0">
      <td className="col-start-2 row-start-1 self-center text-right text-base-content/70 text-xs xl:py-2.5 xl:pl-5 xl:text-left">
        <DayAndTime moment={sale.createdAt} />
      </td>
      <td className="col-span-2 row-start-2 min-w-0 xl:px-3 xl:py-2.5">
        <Link
          to={to}
          preventScrollReset
          className="wrap-anywhere font-medium after:absolute after:inset-0 hover:underline xl:block xl:after:hidden"
        >
          <span className="sr-only">Detalhes da venda de {buyer}: </span>
          {sale.productName}
        </Link>
      </td>
      <td className="col-start-1 row-start-3 min-w-0 xl:px-3 xl:py-2.5">
        <span className="wrap-anywhere block max-xl:text-base-content/70 max-xl:text-xs">
          {sale.customerName ?? "Sem nome"}
        </span>
        <span
          className={`wrap-anywhere block text-base-content/70 text-xs ${sale.customerName ? "max-xl:hidden" : ""}`}
        >
          {sale.customerEmail ?? "Sem e-mail"}
        </span>
      </td>
      <td className="col-start-1 row-start-1 whitespace-nowrap font-semibold xl:px-3 xl:py-2.5 xl:text-right xl:font-medium">
        {formatMoney(sale.amountCents)}
      </td>
      <td className="col-start-2 row-start-3 self-end text-right xl:px-3 xl:py-2.5 xl:text-left">
        <StatusBadge status={sale.status} />
      </td>
      {props.withMethod && (
        <td className="hidden xl:table-cell xl:px-3 xl:py-2.5">{methodLabel(sale.paymentMethod)}</td>
      )}
      <td className="col-start-3 row-span-3 row-start-1 self-center text-right xl:py-1 xl:pr-3">
        <RowMenu label={`Ações da venda de ${buyer}`}>
          <Link to={to} preventScrollReset className={MENU_ITEM}>
            Detalhes
            <span className="sr-only"> da venda de {buyer}</span>
          </Link>
          <ResendAccess sale={sale} className={MENU_ITEM} textClassName="px-4 py-2" />
        </RowMenu>
      </td>
    </tr>
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
