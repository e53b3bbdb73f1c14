import { Link } from "@remix-run/react";
import { ReceiptText } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { StatusBadge } from "#app/ui/seller/status-badge.tsx";

/** A sale as its row shows it: money and time as text. */
export type SaleRow = {
  id: string;
  product: string;
  buyer: string;
  amount: string;
  status: string;
  at: string;
};

/** The newest sales, paid or not; those that arrived while the page was open are marked. */
export function NewestSales(props: { sales: SaleRow[]; isNew: (sale: SaleRow) => boolean }) {
  const { sales, isNew } = props;
  return (
    <Card
      title="Vendas recentes"
      flush
      action={
        sales.length > 0 && (
          <Link
            to={paths.reports()}
            className="link link-hover -my-3 inline-flex min-h-11 items-center font-medium text-primary text-sm"
          >
            Ver todas
          </Link>
        )
      }
    >
      {sales.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          title="Nenhuma venda ainda"
          text="Cada venda paga aparece aqui na hora."
        />
      ) : (
        <ul aria-label="Vendas recentes" className="divide-y divide-base-300 border-base-300 border-t">
          {sales.map((sale) => (
            <li key={sale.id}>
              <Link
                to={paths.sale(sale.id)}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 hover:bg-base-200/60 sm:px-5"
              >
                <span className="flex min-w-0 items-center gap-2">
                  <span className="truncate font-medium" title={sale.buyer}>
                    {sale.buyer}
                  </span>
                  {isNew(sale) && <Badge tone="info">Nova</Badge>}
                </span>
                <span className="whitespace-nowrap text-right font-semibold tabular-nums">{sale.amount}</span>
                <span className="flex min-w-0 flex-col text-base-content/70 text-sm sm:flex-row sm:gap-x-2">
                  <span className="truncate" title={sale.product}>
                    {sale.product}
                  </span>
                  <span className="whitespace-nowrap tabular-nums max-sm:text-xs">{sale.at}</span>
                </span>
                <span className="text-right">
                  <StatusBadge status={sale.status} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
