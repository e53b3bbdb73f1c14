import type { FieldMetadata } from "@conform-to/react";
import { Card } from "#app/ui/seller/card.tsx";
import { FieldError } from "#app/ui/seller/form/field.tsx";

export type ProductChoice = { id: string; name: string };

/** All products, or some. Use in a form with the class `group`. */
export function ProductsCard(props: {
  scope: FieldMetadata<string>;
  field: FieldMetadata<string[]>;
  products: ProductChoice[];
}) {
  const { scope, field, products } = props;
  const chosen = new Set([field.initialValue ?? []].flat());
  return (
    <Card title="Produtos">
      <fieldset id={field.id} tabIndex={-1} aria-label="Produtos">
        {(
          [
            ["all", "Todos, também os que ainda vou criar"],
            ["some", "Só os marcados abaixo"],
          ] as const
        ).map(([value, label]) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3 text-sm">
            <input
              type="radio"
              name={scope.name}
              value={value}
              defaultChecked={scope.initialValue === value}
              className="radio radio-primary radio-sm"
            />
            {label}
          </label>
        ))}
        <div className="mt-1 hidden border-base-300 border-t pt-2 group-has-[input[name=scope][value=some]:checked]:block">
          {products.length === 0 && (
            <p className="text-base-content/70 text-sm">Você ainda não tem produtos.</p>
          )}
          {products.map((product) => (
            <label key={product.id} className="flex min-h-11 cursor-pointer items-center gap-3 text-sm">
              <input
                type="checkbox"
                name={field.name}
                value={product.id}
                defaultChecked={chosen.has(product.id)}
                className="checkbox checkbox-primary checkbox-sm shrink-0"
              />
              <span className="min-w-0 break-words">{product.name}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <FieldError field={field} />
    </Card>
  );
}
