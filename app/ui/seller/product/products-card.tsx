import type { ReactNode } from "react";
import { Card } from "#app/ui/seller/card.tsx";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";
import { type ScopeChoice, ScopeField } from "#app/ui/seller/form/scope-field.tsx";

export type ProductChoice = ScopeChoice;

/** All products, or some. `search`: above those to choose from, where not all are listed. */
export function ProductsCard(props: {
  scope: FieldMeta;
  field: FieldMeta;
  products: ProductChoice[];
  search?: ReactNode;
}) {
  return (
    <Card title="Produtos">
      <ScopeField
        label="Produtos"
        scope={props.scope}
        field={props.field}
        all="Todos, também os que ainda vou criar"
        choices={props.products}
        none={props.search ? "Nenhum produto com esse nome." : "Você ainda não tem produtos."}
        search={props.search}
      />
    </Card>
  );
}
