import type { ReactNode } from "react";
import { FieldError, type FieldMeta } from "#app/ui/seller/form/field.tsx";

export type ScopeChoice = { id: string; name: string };

type Props = {
  /** What is chosen from, in plural: the name of the group. */
  label: string;
  /** Posts `all` or `some`. */
  scope: FieldMeta;
  field: FieldMeta;
  all: string;
  some?: string;
  choices: ScopeChoice[];
  /** Shown where there are no choices. */
  none: string;
  search?: ReactNode;
};

/** All things of a kind, or those that are ticked. */
export function ScopeField(props: Props) {
  const { label, scope, field, choices } = props;
  const chosen = new Set([field.initialValue ?? []].flat());
  return (
    <>
      <fieldset id={field.id} tabIndex={-1} aria-label={label} className="group/scope">
        {(
          [
            ["all", props.all],
            ["some", props.some ?? "Só os marcados abaixo"],
          ] as const
        ).map(([value, text]) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5 text-sm">
            <input
              type="radio"
              name={scope.name}
              value={value}
              defaultChecked={scope.initialValue === value}
              className="radio radio-primary radio-sm"
            />
            {text}
          </label>
        ))}
        <div className="mt-1 hidden border-base-300 border-t pt-2 group-has-[input[value=some]:checked]/scope:block">
          {props.search}
          {choices.length === 0 && <p className="text-base-content/70 text-sm">{props.none}</p>}
          {choices.map((choice) => (
            <label key={choice.id} className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5 text-sm">
              <input
                type="checkbox"
                name={field.name}
                value={choice.id}
                defaultChecked={chosen.has(choice.id)}
                className="checkbox checkbox-primary checkbox-sm shrink-0"
              />
              <span className="wrap-anywhere min-w-0">{choice.name}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <FieldError field={field} />
    </>
  );
}
