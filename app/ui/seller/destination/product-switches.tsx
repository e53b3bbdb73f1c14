import { Package } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { type ProductSearch, ProductSearchField } from "#app/ui/seller/destination/product-search.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";

/** `price` is a text. */
export type SwitchedProduct = {
  id: string;
  name: string;
  price: string;
  isActive: boolean;
};

/** Products, each with its switch: `on` are the ones that are on. Those that are not listed stay as they are. */
export function ProductSwitches(props: {
  text: string;
  products: SwitchedProduct[];
  search: ProductSearch;
  name: string;
  on: string[] | string | undefined;
}) {
  const on = new Set([props.on ?? []].flat());
  const { text } = props.search;
  return (
    <Card title="Produtos" text={props.text} flush>
      <input type="hidden" name="product_search" value={text} />
      <div className="px-5 empty:hidden">
        <ProductSearchField {...props.search} listed={`os primeiros ${props.products.length} pelo nome`} />
      </div>
      {props.products.length === 0 && text !== "" ? (
        <p className="border-base-300 border-t px-5 py-4 text-sm">Nenhum produto com esse nome.</p>
      ) : props.products.length === 0 ? (
        <EmptyState
          icon={Package}
          title="Você ainda não tem produtos"
          action={{ to: paths.newProduct(), label: "Criar produto" }}
        />
      ) : (
        <ul className="divide-y divide-base-300 border-base-300 border-t">
          {props.products.map((product) => (
            <li key={product.id}>
              <label
                htmlFor={`produto-${product.id}`}
                className="flex min-h-14 cursor-pointer items-center gap-3 px-5 py-3"
              >
                <input
                  type="checkbox"
                  id={`produto-${product.id}`}
                  name={props.name}
                  value={product.id}
                  defaultChecked={on.has(product.id)}
                  className="toggle toggle-primary shrink-0"
                />
                <span className="min-w-0 flex-1 break-words text-sm">
                  {product.name} {!product.isActive && <Badge tone="neutral">Inativo</Badge>}
                </span>
                <span className="whitespace-nowrap text-base-content/70 text-sm">{product.price}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
