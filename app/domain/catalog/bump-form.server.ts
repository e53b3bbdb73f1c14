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

/** The same for a new product: without a name or a price it is left out (null). Source: spec 5, "Create product". */
export function newBumpForm(unsaid: boolean) {
  return z
    .object(
      { ...sellableFields, name: line("Nome", 200), price: money("Preço", MIN_PRICE), ...others(unsaid) },
      ERROR,
    )
    .transform(({ name, price, ...rest }) =>
      name === null || price === null ? null : columns({ ...rest, name, price }),
    );
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
