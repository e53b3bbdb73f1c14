import type { FieldMetadata } from "@conform-to/react";
import { rowsOf } from "#app/ui/seller/form/field.tsx";
import type { ProductFieldset } from "#app/ui/seller/product/basic-fields.tsx";
import type { BumpRowData, ProductFormData, UpsellRowData } from "#app/ui/seller/product/form-data.ts";

/** The form's fields with their labels, in order. */
export const LABELS: Partial<Record<keyof ProductFormData, string>> = {
  name: "Nome do produto",
  description: "Descrição",
  price: "Preço",
  original_price: "Preço original",
  discount_percentage: "Desconto",
  promotion_text: "Texto promocional",
  urgency_text: "Texto de urgência",
  file_url: "Link do arquivo",
  redirect_url: "Link de redirecionamento",
  checkout_slug: "Endereço do checkout",
  image_url: "Imagem do produto",
  banner_image_url: "Imagem do banner",
  banner_link_url: "Link do banner",
};

/**
 * Fields of a row that can have errors. A row's fieldset creates its fields on access by name, so it cannot be enumerated.
 */
const ROW: (keyof BumpRowData | keyof UpsellRowData)[] = [
  "name",
  "description",
  "price",
  "original_price",
  "discount_percentage",
  "promotion_text",
  "urgency_text",
  "image_url",
  "file_url",
  "video_url",
  "benefits",
];

/** Every field that can have errors with its label in the summary, rows too. */
export function labelled(fields: ProductFieldset): [FieldMetadata, string][] {
  const own = Object.entries(LABELS).map(([name, label]): [FieldMetadata, string] => [
    fields[name as keyof ProductFormData] as FieldMetadata,
    label,
  ]);
  const rows = (list: FieldMetadata<object[]>, label: string) =>
    rowsOf(list).flatMap((row, at) =>
      ROW.map((name): [FieldMetadata, string] => [
        (row.getFieldset() as Record<string, FieldMetadata>)[name]!,
        `${label} ${at + 1}`,
      ]),
    );
  return [
    ...own,
    ...rows(fields.orderBumps as never, "Order bump"),
    ...rows(fields.upsells as never, "Oferta"),
  ];
}
