import { Link } from "@remix-run/react";
import type { ReconciliationState } from "#app/domain/reconciliation/describe-sums.ts";
import { paths } from "#app/kit/paths.ts";
import { Figures } from "#app/routes/seller/reports/figure.tsx";
import type { ReconciliationView } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

const TONES = {
  differs: "warning",
  unchecked: "info",
  uncheckable: "info",
  checked: "success",
} as const satisfies Record<ReconciliationState, string>;

/** How the month or its chosen day compares, its sums, and the button that has the rest checked. */
export function Result({ view }: { view: ReconciliationView }) {
  const { result, sums, day } = view;
  return (
    <section aria-label="Resultado" className="flex flex-col gap-4">
      {day && (
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <h2 className="font-semibold text-lg">Dia {day.label}</h2>
          <Link to={paths.reconciliation(`month=${view.month}`)} className="link py-2.5 text-sm">
            Ver o mês todo
          </Link>
        </div>
      )}
      <Alert tone={TONES[result.state]} live={false}>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-semibold text-base">
              {view.isEmpty ? "Nenhum pagamento neste dia." : result.text}
            </p>
            {result.checks && <p className="mt-1">{result.checks}</p>}
            {result.statements && <p className="mt-1">{result.statements}</p>}
          </div>
          {view.checkable > 0 && (
            <Form method="post" preventScrollReset>
              <SubmitButton intent="check" pending="Agendando...">
                Conferir agora
              </SubmitButton>
            </Form>
          )}
        </div>
      </Alert>
      <Figures
        items={[
          {
            label: "Recebido",
            value: sums.received,
            meaning: `${sums.sold}. Pagamentos em dobro ou de outro valor também entram.`,
          },
          {
            label: "Devolvido",
            value: sums.refunded,
            meaning: "Desses pagamentos, o que já voltou a quem pagou.",
          },
          {
            label: "Taxas do provedor",
            value: sums.fee,
            meaning: feeMeaning(sums.withoutFee),
          },
          {
            label: "Líquido",
            value: sums.net,
            meaning: "Recebido menos devolvido e menos as taxas informadas.",
          },
        ]}
      />
      <p className="text-base-content/70 text-sm">
        {`Destes pagamentos, os outros relatórios contam ${count(sums.completedSales)}, de ${sums.completed}: vendas devolvidas ou contestadas saem de lá, e gratuitas entram.`}
      </p>
    </section>
  );
}

function feeMeaning(without: number): string {
  if (without === 0) return "Todas informadas pelo provedor. Nada é estimado.";
  const payments = without === 1 ? "1 pagamento está" : `${without.toLocaleString("pt-BR")} pagamentos estão`;
  return `Só as que o provedor informou: ${payments} sem taxa informada. Nada é estimado.`;
}

function count(sales: number): string {
  return sales === 1 ? "1 venda" : `${sales.toLocaleString("pt-BR")} vendas`;
}
