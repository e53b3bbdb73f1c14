import type { SaleView } from "#app/domain/reports/show-sale.server.ts";
import { toTimelineSteps } from "#app/domain/reports/timeline-steps.ts";
import { formatMoment } from "#app/kit/dates.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { RefundForm } from "#app/ui/seller/refund-form.tsx";

/** Checks the payment now, or says when that is possible again. */
function CheckNow({ saleId }: { saleId: string }) {
  return (
    <RefundForm saleId={saleId}>
      <SubmitButton
        intent="check"
        fetcherKey={`refund/${saleId}`}
        pending="Verificando..."
        className="btn-sm btn-outline"
      >
        Verificar agora
      </SubmitButton>
    </RefundForm>
  );
}

/** A sale's timeline: charge checks, webhooks, mails and manual actions, to the second, with the time between them. */
export function SaleHistory({ saleId, view }: { saleId: string; view: SaleView }) {
  const { timeline, hasOlderLines } = view;
  return (
    <Card id="historico" title="Histórico" action={<CheckNow saleId={saleId} />}>
      {hasOlderLines && (
        <p className="mb-3 text-base-content/70 text-sm">
          Mostramos só os {timeline.length} registros mais recentes; os anteriores ficam de fora.
        </p>
      )}
      <ol className="flex flex-col gap-3 border-base-300 border-l pl-4">
        {toTimelineSteps(timeline).map((step) => (
          <li
            key={step.id}
            className="relative text-sm before:absolute before:top-1.5 before:-left-[1.32rem] before:size-2.5 before:rounded-full before:bg-base-content/40"
          >
            <p className="break-words">{step.text}</p>
            <p className="text-base-content/70 text-xs tabular-nums">
              {formatMoment(step.at)}
              {step.after && ` · ${step.after} depois`}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
