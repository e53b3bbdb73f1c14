import type { FieldMetadata } from "@conform-to/react";
import type { InputHTMLAttributes, ReactNode } from "react";

/** The part of conform's field metadata that a control needs: pass `fields.name` unchanged. */
export type FieldMeta = {
  id: string;
  name: string;
  key?: string | undefined;
  errors: string[] | undefined;
  errorId: string;
  descriptionId: string;
  initialValue?: unknown;
};

/** The rows of a list; none where a program has sent a text under its name. */
export function rowsOf<T>(list: FieldMetadata<T[]>): FieldMetadata<T>[] {
  return Array.isArray(list.initialValue) ? list.getFieldList() : [];
}

/** Attributes of a field for a whole number; give it `min` and `max`. */
export const WHOLE_NUMBER = { type: "number", inputMode: "numeric", step: 1 } as const;

export type ControlProps = { field: FieldMeta; label: string; help?: ReactNode; optional?: boolean };

type Props = ControlProps & {
  prefix?: string;
  suffix?: ReactNode;
} & Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "prefix" | "defaultValue">;

/** A labelled one-line input with help and error. `prefix` is shown inside it, e.g. `R$`. */
export function Field({ field, label, help, optional, prefix, suffix, className, ...input }: Props) {
  return (
    <FieldShell field={field} label={label} help={help} optional={optional} className={className}>
      <span className={`input w-full ${field.errors ? "input-error" : ""} h-11 text-base sm:text-sm`}>
        {prefix && (
          <span className="text-base-content/70" aria-hidden="true">
            {prefix}
          </span>
        )}
        <input
          key={field.key}
          id={field.id}
          name={field.name}
          defaultValue={textValue(field)}
          {...describedBy(field, help)}
          {...input}
        />
        {suffix}
      </span>
    </FieldShell>
  );
}

/** Label above, help and error below: the layout around any control. */
export function FieldShell(props: ControlProps & { children: ReactNode; className?: string | undefined }) {
  const { field } = props;
  return (
    <div className={`flex flex-col gap-1.5 ${props.className ?? ""}`}>
      <label htmlFor={field.id} className="font-medium text-sm">
        {props.label}
        {props.optional && <span className="font-normal text-base-content/70"> (opcional)</span>}
      </label>
      {props.children}
      {props.help && (
        <p id={field.descriptionId} className="text-base-content/70 text-xs">
          {props.help}
        </p>
      )}
      <FieldError field={field} />
    </div>
  );
}

/** A field's first error, linked to its control by id. */
export function FieldError({ field }: { field: FieldMeta }) {
  if (!field.errors?.length) return null;
  return (
    <p id={field.errorId} className="text-error text-sm">
      {field.errors[0]}
    </p>
  );
}

export function describedBy(field: FieldMeta, help: ReactNode) {
  const ids = [field.errors?.length ? field.errorId : null, help ? field.descriptionId : null].filter(
    Boolean,
  );
  return {
    "aria-invalid": field.errors?.length ? (true as const) : undefined,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
  };
}

export function textValue(field: FieldMeta): string | undefined {
  return typeof field.initialValue === "string" ? field.initialValue : undefined;
}
