import { Link } from "@remix-run/react";
import { ArrowRight, ExternalLink } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import type { NextStep } from "#app/ui/seller/first-steps/next-step.server.ts";

/** Shown on the screen of a completed step: the next one, and a link to all of them. */
export function NextStepStrip({ next }: { next: NextStep | null }) {
  if (!next) return null;
  const { step, done, steps } = next;
  const { to, label, outside } = step.action;
  return (
    <section
      data-leads-on
      aria-labelledby="proximo-passo"
      className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-box border border-primary/30 bg-primary/8 p-4"
    >
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-base-content/80 text-xs">
          <Link to={paths.dashboard()} className="link">
            Primeiros passos
          </Link>
          : {done} de {steps} feitos
        </p>
        <h2 id="proximo-passo" className="mt-0.5 font-semibold">
          <span className="sr-only">Próximo passo: </span>
          {step.title}
        </h2>
        <p className="mt-0.5 break-words text-base-content/80 text-sm">{step.text}</p>
      </div>
      {outside ? (
        <a href={to} target="_blank" rel="noreferrer" className="btn min-h-11 border-base-300 bg-base-100">
          {label}
          <ExternalLink className="size-4" aria-hidden="true" />
          <span className="sr-only"> (abre em nova aba)</span>
        </a>
      ) : (
        <Link to={to} className="btn min-h-11 border-base-300 bg-base-100">
          {label}
          <ArrowRight className="size-4" aria-hidden="true" />
        </Link>
      )}
    </section>
  );
}
