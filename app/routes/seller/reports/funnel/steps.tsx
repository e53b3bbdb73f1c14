import { ArrowDown } from "lucide-react";
import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { STEP_TEXTS, stepsText, stepsTitle } from "#app/routes/seller/reports/funnel/texts.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";

/** The steps, each as wide as its share, and between them how many continued and how many stopped. */
export function Steps({ report }: { report: FunnelReport }) {
  const { steps, loss, upsellsPaid } = report;
  const largest = Math.max(...steps.map(({ count }) => count), 1);
  return (
    <Card title={stepsTitle(report)} text={stepsText(report)}>
      <ol className="flex flex-col" aria-label="Etapas do funil">
        {steps.map((step, at) => {
          const { name, meaning } = STEP_TEXTS[step.step];
          const hasUpsells = step.step === "upsells" && step.count > 0;
          return (
            <li key={step.step}>
              {at > 0 && <Between step={step} isLoss={step.step === loss} />}
              <div className="grid grid-cols-[1fr_auto] items-end gap-x-4 sm:grid-cols-[13rem_1fr_6rem] sm:items-center">
                <div className="min-w-0">
                  <p className="font-medium">{name}</p>
                  <p className="text-base-content/70 text-xs">
                    {meaning}
                    {hasUpsells &&
                      ` ${upsellsPaid.toLocaleString("pt-BR")} já ${upsellsPaid === 1 ? "paga" : "pagas"}.`}
                  </p>
                </div>
                <strong className="text-right font-semibold text-xl tabular-nums tracking-tight sm:order-3">
                  {step.count.toLocaleString("pt-BR")}
                </strong>
                <div
                  className="col-span-2 mt-1.5 h-3 overflow-hidden rounded-full bg-base-200 sm:col-span-1 sm:mt-0 sm:h-8 sm:rounded-lg"
                  aria-hidden="true"
                >
                  <div
                    className="h-full rounded-full bg-primary/70 sm:rounded-lg"
                    style={{
                      width: `${(step.count / largest) * 100}%`,
                      minWidth: step.count > 0 ? "4px" : 0,
                    }}
                  />
                </div>
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

function Between({ step, isLoss }: { step: FunnelReport["steps"][number]; isLoss: boolean }) {
  const { stopped } = STEP_TEXTS[step.step];
  return (
    <p className="my-2.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-base-content/70 text-sm sm:pl-52">
      <ArrowDown className="size-4 shrink-0" aria-hidden="true" />
      {step.share === null ? (
        <span>–</span>
      ) : (
        <span>
          <span className="font-medium text-base-content tabular-nums">{step.share}</span> seguem
        </span>
      )}
      {isLoss && (
        <span className="sm:order-last">
          <Badge tone="warning">Maior perda</Badge>
        </span>
      )}
      {step.lost > 0 && (
        <span className="max-sm:w-full max-sm:pl-6">
          <span className="max-sm:hidden">· </span>
          {stopped}: <span className="tabular-nums">{step.lost.toLocaleString("pt-BR")}</span>
        </span>
      )}
    </p>
  );
}
