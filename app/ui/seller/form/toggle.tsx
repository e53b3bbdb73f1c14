import type { InputHTMLAttributes } from "react";
import { type ControlProps, describedBy, FieldError } from "#app/ui/seller/form/field.tsx";

type Props = Omit<ControlProps, "optional"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "type" | "defaultChecked">;

/** A labelled switch: a checkbox, posted as `on` or not at all (schema: `z.boolean().default(false)`). */
export function Toggle({ field, label, help, className, ...input }: Props) {
  return (
    <div className={`flex items-start gap-3 ${className ?? ""}`}>
      <input
        key={field.key}
        type="checkbox"
        id={field.id}
        name={field.name}
        defaultChecked={field.initialValue === "on" || field.initialValue === true}
        className="toggle toggle-primary mt-0.5 shrink-0"
        {...describedBy(field, help)}
        {...input}
      />
      <div className="min-w-0">
        <label htmlFor={field.id} className="block cursor-pointer font-medium text-sm">
          {label}
        </label>
        {help && (
          <p id={field.descriptionId} className="mt-0.5 text-base-content/70 text-xs">
            {help}
          </p>
        )}
        <FieldError field={field} />
      </div>
    </div>
  );
}
