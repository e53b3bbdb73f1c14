import { z } from "zod";
import { flag, lines, rowId, url } from "#app/domain/catalog/fields.server.ts";
import { sellableColumns, sellableFields } from "#app/domain/catalog/sellable-form.server.ts";

/** An upsell offer as it is sent in a product's `upsells`, in the order buyers see them; `id` names one that exists. */
export type OfferFields = z.output<ReturnType<typeof offerForm>>;

/** @param unsaid whether it is active where nothing says so */
export function offerForm(unsaid: boolean) {
  return z
    .object(
      {
        id: rowId(),
        ...sellableFields,
        file_url: url("Link do arquivo"),
        video_url: url("Vídeo"),
        benefits: lines("Benefícios", 20, 200),
        is_active: flag("Ativo", unsaid),
      },
      { error: "Cada oferta deve ser um objeto" },
    )
    .transform((fields) => ({
      id: fields.id,
      ...sellableColumns(fields),
      fileUrl: fields.file_url,
      videoUrl: fields.video_url,
      benefits: fields.benefits,
      active: fields.is_active,
    }));
}
