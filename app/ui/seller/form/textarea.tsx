import type { TextareaHTMLAttributes } from "react";
import { type ControlProps, describedBy, FieldShell, textValue } from "#app/ui/seller/form/field.tsx";

type Props = ControlProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "name" | "id" | "defaultValue">;

/** A labelled textarea. */
export function Textarea({ field, label, help, optional, className, ...textarea }: Props) {
  return (
    <FieldShell field={field} label={label} help={help} optional={optional} className={className}>
      <textarea
        key={field.key}
        id={field.id}
        name={field.name}
        rows={4}
        defaultValue={textValue(field)}
        className={`textarea w-full text-base sm:text-sm ${field.errors ? "textarea-error" : ""}`}
        {...describedBy(field, help)}
        {...textarea}
      />
    </FieldShell>
  );
}
