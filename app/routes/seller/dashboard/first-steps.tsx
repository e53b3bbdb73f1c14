import { Link } from "@remix-run/react";
import { ArrowRight, Check, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import type { Step } from "#app/ui/seller/first-steps/steps.server.ts";

/** The steps to the first sale: those done, and the next one; below, what is only suggested. */
export function FirstStepsCard({ steps, isStoreKnown }: { steps: Step[]; isStoreKnown: boolean }) {
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <section
      data-leads-on
      aria-labelledby="primeiros-passos"
      className="mb-6 overflow-hidden rounded-box border border-base-300 bg-base-100"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-5 sm:px-6">
        <h2 id="primeiros-passos" className="font-semibold text-lg tracking-tight">
          Primeiros passos
        </h2>
        <p className="text-base-content/70 text-sm tabular-nums">
          {done} de {steps.length} feitos
        </p>
      </div>
      <div className="mx-4 mt-3 flex gap-1.5 sm:mx-6" aria-hidden="true">
        {steps.map((step) => (
          <span
            key={step.id}
            className={`h-1 flex-1 rounded-full ${step.done ? "bg-success" : step === next ? "bg-primary" : "bg-base-300"}`}
          />
        ))}
      </div>
      <ol className="mt-3 p-2 sm:p-3">
        {steps.map((step, at) =>
          step === next ? (
            <Next key={step.id} step={step} number={at + 1} />
          ) : (
            <Other key={step.id} step={step} number={at + 1} />
          ),
        )}
      </ol>
      {!isStoreKnown && (
        <p className="border-base-300 border-t px-5 py-3 text-sm sm:px-6">
          A lei pede que o checkout diga quem vende: nome, CPF ou CNPJ, endereço e contato.{" "}
          <Link to={paths.storeSettings()} className="link font-medium">
            Preencher os dados da loja
          </Link>
        </p>
      )}
    </section>
  );
}

function Next({ step, number }: { step: Step; number: number }) {
  return (
    <li
      aria-current="step"
      className="my-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-3 rounded-field bg-primary/8 p-3 sm:grid-cols-[auto_1fr_auto] sm:items-center"
    >
      <Mark className="bg-primary text-primary-content">{number}</Mark>
      <div className="min-w-0">
        <p className="font-semibold">{step.title}</p>
        <p className="mt-0.5 break-words text-base-content/80 text-sm">{step.text}</p>
      </div>
      <div className="col-start-2 flex flex-wrap items-center gap-1 sm:col-start-3">
        <Act {...step.action} />
        {step.share && <CopyButton text={step.share} label="Copiar link" />}
      </div>
    </li>
  );
}

function Act({ label, to, outside }: Step["action"]) {
  const className = "btn btn-primary min-h-11 max-sm:w-full";
  if (!outside)
    return (
      <Link to={to} className={className}>
        {label}
        <ArrowRight className="size-4" aria-hidden="true" />
      </Link>
    );
  return (
    <a href={to} target="_blank" rel="noreferrer" className={className}>
      {label}
      <ExternalLink className="size-4" aria-hidden="true" />
      <span className="sr-only"> (abre em nova aba)</span>
    </a>
  );
}

function Other({ step, number }: { step: Step; number: number }) {
  return (
    <li className="flex items-center gap-3 px-3 py-2 text-sm">
      {step.done ? (
        <Mark className="bg-success/15 text-success">
          <Check className="size-4" aria-hidden="true" />
        </Mark>
      ) : (
        <Mark className="bg-base-200 text-base-content/70">{number}</Mark>
      )}
      <span className={step.done ? "text-base-content/70" : ""}>
        {step.title}
        {step.done && <span className="sr-only"> (feito)</span>}
      </span>
    </li>
  );
}

function Mark({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      className={`flex size-7 shrink-0 items-center justify-center rounded-full font-semibold text-xs tabular-nums ${className}`}
    >
      {children}
    </span>
  );
}
