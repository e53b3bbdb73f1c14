import type { SelectHTMLAttributes } from "react";
import { type ControlProps, describedBy, FieldShell, textValue } from "#app/ui/seller/form/field.tsx";

type Props = ControlProps & { options: { value: string; label: string }[] } & Omit<
    SelectHTMLAttributes<HTMLSelectElement>,
    "name" | "id" | "defaultValue"
  >;

/** A labelled select. */
export function Select({ field, label, help, optional, options, className, ...select }: Props) {
  return (
    <FieldShell field={field} label={label} help={help} optional={optional} className={className}>
      <select
        key={field.key}
        id={field.id}
        name={field.name}
        defaultValue={textValue(field)}
        className={`select h-11 w-full text-base sm:text-sm ${field.errors ? "select-error" : ""}`}
        {...describedBy(field, help)}
        {...select}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldShell>
  );
}
