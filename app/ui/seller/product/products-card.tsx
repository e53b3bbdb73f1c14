import { Card } from "#app/ui/seller/card.tsx";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";
import { type ScopeChoice, ScopeField } from "#app/ui/seller/form/scope-field.tsx";

export type ProductChoice = ScopeChoice;

/** All products, or some. */
export function ProductsCard(props: { scope: FieldMeta; field: FieldMeta; products: ProductChoice[] }) {
  return (
    <Card title="Produtos">
      <ScopeField
        label="Produtos"
        scope={props.scope}
        field={props.field}
        all="Todos, também os que ainda vou criar"
        choices={props.products}
        none="Você ainda não tem produtos."
      />
    </Card>
  );
}
