import { z } from "zod";
import { flag, line, MIN_PRICE, money, rowId, url } from "#app/domain/catalog/fields.server.ts";
import {
  promotionFields,
  sellableColumns,
  sellableFields,
} from "#app/domain/catalog/sellable-form.server.ts";

/** An order bump as it is sent in a product's `orderBumps`; `id` names one that exists. */
export type BumpFields = z.output<ReturnType<typeof bumpForm>>;

/** @param unsaid whether it is active where nothing says so */
export function bumpForm(unsaid: boolean) {
  return z.object({ ...sellableFields, ...others(unsaid) }, ERROR).transform(columns);
}

/**
 * The same for a new product. Without a name or a price none is made (null). Source: spec 5, "Create product". From our
 * form only a row in which nothing is typed is left out so: any other says what is missing.
 */
export function newBumpForm(unsaid: boolean, form: boolean) {
  return z
    .object(
      { ...sellableFields, name: line("Nome", 200), price: money("Preço", MIN_PRICE), ...others(unsaid) },
      ERROR,
    )
    .transform(({ name, price, ...rest }, context) => {
      if (name !== null && price !== null) return columns({ ...rest, name, price });
      const { id, is_active, ...typed } = { ...rest, name, price };
      if (!form || Object.values(typed).every((value) => value === null)) return null;
      for (const [field, label] of [
        ["name", "Nome"],
        ["price", "Preço"],
      ] as const)
        if (typed[field] === null)
          context.addIssue({ code: "custom", path: [field], message: `${label} é obrigatório` });
      return z.NEVER;
    });
}

const ERROR = { error: "Cada order bump deve ser um objeto" };

function others(unsaid: boolean) {
  return {
    id: rowId(),
    ...promotionFields,
    file_url: url("Link do arquivo"),
    is_active: flag("Ativo", unsaid),
  };
}

type Read = Parameters<typeof sellableColumns>[0] & {
  id: number | null;
  promotion_text: string | null;
  urgency_text: string | null;
  file_url: string | null;
  is_active: boolean;
};

function columns(fields: Read) {
  return {
    id: fields.id,
    ...sellableColumns(fields),
    fileUrl: fields.file_url,
    promotionText: fields.promotion_text,
    urgencyText: fields.urgency_text,
    active: fields.is_active,
  };
}
