import type { InputHTMLAttributes, ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  name: string;
  label: string;
  error: string | undefined;
  hint?: ReactNode;
};

/** A labelled, required input with its error beside it. */
export function Field({ label, error, hint, ...input }: FieldProps) {
  const errorId = `${input.name}-erro`;
  return (
    <div className="field">
      <label htmlFor={input.name}>{label}</label>
      <input
        {...input}
        id={input.name}
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {hint}
      {error && (
        <p className="error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}

type Summary = { errors: Record<string, string>; alert: string | null; children?: ReactNode };

/** Below a refusal that names the buyer's other unpaid order. */
export function OtherOrderLink({ saleId }: { saleId: string | null }) {
  return saleId && <a href={paths.pix(saleId)}>Ir para o outro pedido</a>;
}

/** All errors at the top, focused, each linked to its field; the children say where else to go. */
export function ErrorSummary(props: Summary) {
  const lines = Object.entries(props.errors);
  if (lines.length === 0 && !props.alert) return null;
  return (
    // biome-ignore lint/a11y/noAutofocus: the page came back because of these errors; the focus belongs on them
    <div className="alert is-error" role="alert" tabIndex={-1} autoFocus id="erros">
      <div>
        {props.alert && <p>{props.alert}</p>}
        {lines.length > 0 && (
          <>
            <p>
              <b>{lines.length === 1 ? "Confira este campo:" : "Confira estes campos:"}</b>
            </p>
            <ul>
              {lines.map(([name, message]) => (
                <li key={name}>
                  <a href={`#${name}`}>{message}</a>
                </li>
              ))}
            </ul>
          </>
        )}
        {props.children}
      </div>
    </div>
  );
}
