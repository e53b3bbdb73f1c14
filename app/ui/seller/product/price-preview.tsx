import type { FieldMetadata } from "@conform-to/react";
import { formatMoney, parseMoney } from "#app/kit/money.ts";
import { discountOf } from "#app/ui/buyer/price.tsx";
import type { ProductFormData } from "#app/ui/seller/product/form-data.ts";

/** The price as buyers will see it, updated while typing. */
export function PricePreview({ fields }: { fields: { [K in keyof ProductFormData]: FieldMetadata } }) {
  const text = (field: FieldMetadata) => (typeof field.value === "string" ? field.value.trim() : "");
  const price = parseMoney(text(fields.price));
  const original = parseMoney(text(fields.original_price));
  const discount = price === null ? null : discountOf(price, original);
  return (
    <div className="rounded-box border border-base-300 bg-base-200 p-5">
      <p className="font-medium text-base-content/70 text-xs">Prévia do preço</p>
      <p className="mt-3 break-words font-semibold">{text(fields.name) || "Nome do produto"}</p>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {discount !== null && (
          <s className="text-base-content/70 text-sm">
            <span className="sr-only">De </span>
            {formatMoney(original!)}
          </s>
        )}
        <span className="font-semibold text-2xl">{price === null ? "R$ –" : formatMoney(price)}</span>
        {discount !== null && (
          <span className="rounded-full bg-success/15 px-2.5 py-0.5 font-medium text-success text-xs">
            {discount}% OFF
          </span>
        )}
      </p>
      {discount !== null && (
        <p className="mt-1 text-sm text-success">Economia de {formatMoney(original! - price!)}</p>
      )}
      {text(fields.promotion_text) && (
        <p className="mt-2 break-words text-sm">{text(fields.promotion_text)}</p>
      )}
      {text(fields.urgency_text) && (
        <p className="mt-1 break-words text-base-content/70 text-sm">{text(fields.urgency_text)}</p>
      )}
    </div>
  );
}
