import { z } from "zod";
import {
  flagField,
  lineField,
  MIN_PRICE,
  moneyField,
  rowIdField,
  urlField,
} from "#app/domain/catalog/fields.server.ts";
import {
  promotionFields,
  sellableColumns,
  sellableFields,
} from "#app/domain/catalog/sellable-form.server.ts";

/** An order bump in a product's `orderBumps`; `id` refers to an existing one. */
export type BumpFields = z.output<ReturnType<typeof bumpForm>>;

/** @param activeDefault whether it is active where `is_active` is missing; undefined leaves it as it is */
export function bumpForm(activeDefault: boolean | undefined) {
  return z.object({ ...sellableFields, ...otherFields(activeDefault) }, ERROR).transform(toBumpColumns);
}

/**
 * The same for a new product. Without a name or a price none is created (null). In our
 * form only an empty row is skipped like that: any other is refused with what is missing.
 */
export function newBumpForm(activeDefault: boolean, isForm: boolean) {
  return z
    .object(
      {
        ...sellableFields,
        name: lineField("Nome", 200),
        price: moneyField("Preço", MIN_PRICE),
        ...otherFields(activeDefault),
      },
      ERROR,
    )
    .transform(({ name, price, ...otherValues }, context) => {
      if (name !== null && price !== null) return toBumpColumns({ ...otherValues, name, price });
      const { id, is_active, ...typedFields } = { ...otherValues, name, price };
      if (!isForm || Object.values(typedFields).every((value) => value === null)) return null;
      for (const [field, label] of [
        ["name", "Nome"],
        ["price", "Preço"],
      ] as const)
        if (typedFields[field] === null)
          context.addIssue({ code: "custom", path: [field], message: `${label} é obrigatório` });
      return z.NEVER;
    });
}

const ERROR = { error: "Cada order bump deve ser um objeto" };

function otherFields(activeDefault: boolean | undefined) {
  return {
    id: rowIdField(),
    ...promotionFields,
    file_url: urlField("Link do arquivo"),
    is_active: flagField("Ativo", activeDefault),
  };
}

type BumpInput = Parameters<typeof sellableColumns>[0] & {
  id: number | null;
  promotion_text: string | null;
  urgency_text: string | null;
  file_url: string | null;
  is_active: boolean | undefined;
};

function toBumpColumns(fields: BumpInput) {
  return {
    id: fields.id,
    ...sellableColumns(fields),
    fileUrl: fields.file_url,
    promotionText: fields.promotion_text,
    urgencyText: fields.urgency_text,
    active: fields.is_active,
  };
}
