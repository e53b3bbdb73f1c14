import { Link } from "@remix-run/react";
import { Receipt, RotateCw } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

export type CompletedSaleView = {
  id: string;
  productName: string;
  customerEmail: string | null;
  amount: string;
  createdAt: string;
  transactionId: string | null;
};

type Props = { sales: CompletedSaleView[]; newer: string | null; older: string | null };

/** A page of completed sales, each with its own resend button. */
export function CompletedSales({ sales, newer, older }: Props) {
  return (
    <Card title="Vendas concluídas" text="Reenvie uma venda se ela não aparece na UTMify." flush>
      {sales.length === 0 ? (
        <EmptyState icon={Receipt} title="Nenhuma venda concluída ainda" />
      ) : (
        <ul className="divide-y divide-base-300 border-base-300 border-t">
          {sales.map((sale) => (
            <li key={sale.id} className="flex items-center gap-3 px-5 py-2 text-sm">
              <div className="min-w-0 flex-1">
                <p className="flex justify-between gap-3">
                  <Link
                    to={paths.sale(sale.id)}
                    title={sale.productName}
                    className="truncate font-medium hover:underline"
                  >
                    {sale.productName}
                  </Link>
                  <span className="shrink-0 tabular-nums">{sale.amount}</span>
                </p>
                <p
                  className="truncate text-base-content/70 text-xs"
                  title={`${sale.customerEmail ?? "Sem e-mail"} · ${sale.transactionId ?? sale.id}`}
                >
                  {sale.createdAt} · {sale.customerEmail ?? "Sem e-mail"}
                </p>
              </div>
              <Form method="post" preventScrollReset className="shrink-0">
                <SubmitButton
                  intent={`retry:${sale.id}`}
                  pending={<span className="max-sm:sr-only">Reenviando...</span>}
                  className="btn-sm border-base-300 max-sm:btn-square max-sm:min-w-11"
                  title="Reenviar"
                >
                  <RotateCw className="size-4 sm:hidden" aria-hidden="true" />
                  <span className="max-sm:sr-only">Reenviar</span>
                  <span className="sr-only">
                    {" "}
                    a venda de {sale.productName} de {sale.createdAt}
                  </span>
                </SubmitButton>
              </Form>
            </li>
          ))}
        </ul>
      )}
      {(newer || older) && (
        <nav
          aria-label="Páginas de vendas"
          className="flex justify-between gap-2 border-base-300 border-t px-3 py-2"
        >
          {newer ? (
            <Link
              to={paths.trackingDebug(`after=${newer}`)}
              preventScrollReset
              className="btn btn-ghost min-h-11"
            >
              Mais recentes
            </Link>
          ) : (
            <span />
          )}
          {older && (
            <Link
              to={paths.trackingDebug(`before=${older}`)}
              preventScrollReset
              className="btn btn-ghost min-h-11"
            >
              Mais antigas
            </Link>
          )}
        </nav>
      )}
    </Card>
  );
}
