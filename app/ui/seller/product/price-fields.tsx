import type { FieldMetadata } from "@conform-to/react";
import { Field } from "#app/ui/seller/form/field.tsx";
import type { SellableRowData } from "#app/ui/seller/product/form-data.ts";

type Priced = Pick<SellableRowData, "price" | "original_price" | "discount_percentage">;
type Fields<T> = { [K in keyof T]: FieldMetadata<T[K]> };

/** Price, original price, discount: of a product, a bump, an upsell. */
export function PriceFields({ fields }: { fields: Fields<Priced> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <PriceField field={fields.price} />
      <Comparison fields={fields} />
    </div>
  );
}

export function PriceField({ field }: { field: FieldMetadata<string> }) {
  return (
    <Field
      field={field}
      label="Preço"
      prefix="R$"
      inputMode="decimal"
      placeholder="97,00"
      autoComplete="off"
      required
    />
  );
}

/** The price it is compared with, where the price itself is shown elsewhere. */
export function ComparisonFields({ fields }: { fields: Fields<Omit<Priced, "price">> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Comparison fields={fields} />
    </div>
  );
}

function Comparison({ fields }: { fields: Fields<Omit<Priced, "price">> }) {
  return (
    <>
      <Field
        field={fields.original_price}
        label="Preço original"
        optional
        prefix="R$"
        inputMode="decimal"
        placeholder="197,00"
        autoComplete="off"
        help="Aparece riscado quando é maior que o preço."
      />
      <Field
        field={fields.discount_percentage}
        label="Desconto"
        optional
        suffix={<span className="text-base-content/70">%</span>}
        inputMode="numeric"
        autoComplete="off"
        help="De 0 a 100. Só fica guardado: o selo “% OFF” é calculado pelos dois preços."
      />
    </>
  );
}

/** Texts beside the price: of a product or a bump. */
export function PromotionFields(props: { fields: Fields<{ promotion_text: string; urgency_text: string }> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        field={props.fields.promotion_text}
        label="Texto promocional"
        optional
        maxLength={200}
        placeholder="Oferta de lançamento"
      />
      <Field
        field={props.fields.urgency_text}
        label="Texto de urgência"
        optional
        maxLength={200}
        placeholder="Últimas vagas"
      />
    </div>
  );
}
