import type { FieldMetadata } from "@conform-to/react";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";
import { FILE_HELP } from "#app/ui/seller/product/basic-fields.tsx";
import type { SellableRowData } from "#app/ui/seller/product/form-data.ts";
import { PriceFields } from "#app/ui/seller/product/price-fields.tsx";

type Fields = { [K in keyof SellableRowData]: FieldMetadata<SellableRowData[K]> };

/** What each row of bumps and upsells begins with. */
export function NameAndPrice({ fields }: { fields: Fields }) {
  const { id } = fields;
  return (
    <>
      <input type="hidden" key={id.key} name={id.name} defaultValue={String(id.initialValue ?? "")} />
      <Field field={fields.name} label="Nome" maxLength={200} />
      <Textarea field={fields.description} label="Descrição" optional rows={2} maxLength={5000} />
      <PriceFields fields={fields} />
    </>
  );
}

/** The link to what is bought by it. */
export function RowLink({ field }: { field: FieldMetadata<string> }) {
  return (
    <Field
      field={field}
      label="Link do arquivo"
      optional
      type="url"
      inputMode="url"
      placeholder="https://"
      help={FILE_HELP}
    />
  );
}
