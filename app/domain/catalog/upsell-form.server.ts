import { z } from "zod";
import { flagField, linesField, rowIdField, urlField } from "#app/domain/catalog/fields.server.ts";
import { sellableColumns, sellableFields } from "#app/domain/catalog/sellable-form.server.ts";

/** An upsell in a product's `upsells`, in the order buyers see them; `id` refers to an existing one. */
export type UpsellFields = z.output<ReturnType<typeof upsellForm>>;

/** @param activeDefault whether it is active where `is_active` is missing; undefined leaves it as it is */
export function upsellForm(activeDefault: boolean | undefined) {
  return z
    .object(
      {
        id: rowIdField(),
        ...sellableFields,
        file_url: urlField("Link do arquivo"),
        video_url: urlField("Vídeo"),
        benefits: linesField("Benefícios", 20, 200),
        is_active: flagField("Ativo", activeDefault),
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
