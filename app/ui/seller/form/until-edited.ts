import { type FormEvent, useState } from "react";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";

/**
 * What a server said of a form, until the field it is about is typed in again: for a form that only its server judges.
 * What it said of the whole goes with the first edit.
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
