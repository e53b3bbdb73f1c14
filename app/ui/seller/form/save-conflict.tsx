import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Alert } from "#app/ui/seller/alert.tsx";

/** What was saved elsewhere meanwhile. `version` is the current one. */
export type Conflict = {
  version: string | number;
  differences: { label: string; saved: string; mine: string }[];
  /** What saving over it does that the differences do not show. */
  warnings?: string[];
};

/** Location state of a navigation that refills a form, by its id, and discards what was typed in it. */
export const startOver = (form: string) => ({ startOver: form });

/** Whether a navigation with this location state starts the form over. */
export function isStartingOver(state: unknown, form: string): boolean {
  return (state as ReturnType<typeof startOver> | null)?.startOver === form;
}

/** Reports that somebody saved in between, what differs, and lets the seller decide. Rendered inside the form. */
export function SaveConflict(props: { form: string; conflict: Conflict; reload: string }) {
  const { form, conflict, reload } = props;
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conflict takes the focus again.
  useEffect(() => box.current?.focus(), [conflict]);
  const { differences, version, warnings = [] } = conflict;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="outline-none">
      <Alert tone="warning" live={false}>
        <p className="font-semibold">Isto foi salvo em outra aba ou por outra pessoa.</p>
        <p className="mt-1">
          {differences.length > 0
            ? "Nada se perdeu: o que você preencheu continua abaixo e ainda não foi salvo. O que difere:"
            : "Nada do que você preencheu difere do que está salvo."}
        </p>
        {differences.length > 0 && (
          <ul className="mt-2 flex flex-col gap-1.5">
            {differences.map(({ label, saved, mine }) => (
              <li key={label} className="break-words">
                <strong className="font-medium">{label}</strong>: salvo{" "}
                <q className="wrap-anywhere">{saved}</q>, aqui <q className="wrap-anywhere">{mine}</q>
              </li>
            ))}
          </ul>
        )}
        {warnings.map((warning) => (
          <p key={warning} className="mt-2 break-words">
            {warning}
          </p>
        ))}
        <div className="mt-3 flex flex-wrap gap-2">
          <button type="submit" name="over" value={version} className="btn btn-sm btn-neutral min-h-11">
            Salvar o meu por cima
          </button>
          <Link to={reload} state={startOver(form)} className="btn btn-sm min-h-11">
            Descartar o meu e ver o salvo
          </Link>
        </div>
      </Alert>
    </div>
  );
}
