import { type FormEvent, useState } from "react";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";

/**
 * A form's server-side errors, each until its field is edited: for a form that is only validated by the server. Errors of
 * the whole form are removed by the first edit.
 */
export function useUntilEdited(reply: object | null) {
  const [edited, setEdited] = useState<{ reply: object | null; names: string[] }>({ reply, names: [] });
  const names = edited.reply === reply ? edited.names : [];
  return {
    onInput: (event: FormEvent<HTMLFormElement>) => {
      const { name } = event.target as HTMLInputElement;
      if (!names.includes(name)) setEdited({ reply, names: [...names, name] });
    },
    ofForm: (errors: string[] | undefined) => (names.length > 0 ? undefined : errors),
    ofField: ({ id, name, key, errors, errorId, descriptionId, initialValue }: FieldMeta): FieldMeta => ({
      id,
      name,
      key,
      errors: names.includes(name) ? undefined : errors,
      errorId,
      descriptionId,
      initialValue,
    }),
  };
}
