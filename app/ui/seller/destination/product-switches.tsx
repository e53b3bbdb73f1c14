import { Link } from "@remix-run/react";
import { Package } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";

/** `price` is a text. */
export type SwitchedProduct = {
  id: string;
  name: string;
  price: string;
  isActive: boolean;
};

/** What the names of the listed products contain, and whether there are more of these than are listed. */
export type ProductSearch = { text: string; isMore: boolean };

/** The id of the search's form, which the page has beside the one with the switches. */
export const PRODUCT_SEARCH = "busca-de-produtos";

/** Products, each with its switch: `on` are the ones that are on. Those that are not listed stay as they are. */
export function ProductSwitches(props: {
  text: string;
  products: SwitchedProduct[];
  search: ProductSearch;
  name: string;
  on: string[] | string | undefined;
}) {
  const on = new Set([props.on ?? []].flat());
  const { text, isMore } = props.search;
  return (
    <Card title="Produtos" text={props.text} flush>
      <input type="hidden" name="product_search" value={text} />
      {(isMore || text !== "") && <Search text={text} isMore={isMore} count={props.products.length} />}
      {props.products.length === 0 && text !== "" ? (
        <p className="border-base-300 border-t px-5 py-4 text-sm">Nenhum produto com esse nome.</p>
      ) : props.products.length === 0 ? (
        <EmptyState
          icon={Package}
          title="Você ainda não tem produtos"
          action={
            <Link to={paths.newProduct()} className="btn min-h-11">
              Criar produto
            </Link>
          }
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

/** Works without JavaScript: its field and button belong to a form of their own. */
function Search({ text, isMore, count }: ProductSearch & { count: number }) {
  return (
    <div className="flex flex-col gap-2 px-5 pb-4">
      <label htmlFor="produto" className="text-sm">
        {isMore ? `Estes são os primeiros ${count} pelo nome. Busque os outros` : "Buscar pelo nome"}
      </label>
      <div className="flex gap-2">
        <input
          key={text}
          type="search"
          id="produto"
          name="produto"
          form={PRODUCT_SEARCH}
          maxLength={100}
          defaultValue={text}
          className="input min-h-11 min-w-0 flex-1"
        />
        <button type="submit" form={PRODUCT_SEARCH} className="btn min-h-11 border-base-300">
          Buscar
        </button>
      </div>
      <p className="text-base-content/70 text-sm">
        Salve antes de buscar: o que mudou aqui e não foi salvo se perde. O que não aparece fica como está.
      </p>
    </div>
  );
}
