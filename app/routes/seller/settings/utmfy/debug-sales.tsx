import { Form } from "@remix-run/react";
import { Receipt } from "lucide-react";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

export type ShownCompletedSale = {
  id: string;
  productName: string;
  customerEmail: string | null;
  amount: string;
  createdAt: string;
  transactionId: string | null;
};

/** The last completed sales, each with its own resend. */
export function CompletedSales({ sales }: { sales: ShownCompletedSale[] }) {
  return (
    <Card title="Vendas concluídas" text="Reenvie uma venda se ela não aparece na UTMify." flush>
      {sales.length === 0 ? (
        <EmptyState icon={Receipt} title="Nenhuma venda concluída ainda" />
      ) : (
        <ul className="divide-y divide-base-300 border-base-300 border-t">
          {sales.map((sale) => (
            <li key={sale.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
              <div className="min-w-0 flex-1 basis-56">
                <p className="break-words font-medium">{sale.productName}</p>
                <p className="break-all text-base-content/70 text-xs">
                  {sale.customerEmail ?? "Sem e-mail"} · {sale.createdAt}
                </p>
                <p className="break-all font-mono text-base-content/70 text-xs">
                  {sale.transactionId ?? sale.id}
                </p>
              </div>
              <span className="whitespace-nowrap">{sale.amount}</span>
              <Form method="post" preventScrollReset>
                <SubmitButton intent={`retry:${sale.id}`} pending="Reenviando..." className="border-base-300">
                  Reenviar
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
    </Card>
  );
}
