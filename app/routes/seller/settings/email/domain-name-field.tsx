import type { ComponentProps } from "react";
import { Field } from "#app/ui/seller/form/field.tsx";

/** The domain that a seller sends mails from. */
export function DomainNameField({ field }: Pick<ComponentProps<typeof Field>, "field">) {
  return (
    <Field
      field={field}
      label="Domínio"
      placeholder="minhaloja.com.br"
      inputMode="url"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      required
    />
  );
}
