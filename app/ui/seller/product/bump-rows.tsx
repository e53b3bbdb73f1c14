import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { Gift } from "lucide-react";
import { Alert } from "#app/ui/seller/alert.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { PictureField } from "#app/ui/seller/picture/picture-field.tsx";
import type { BumpRowData, ProductFormData } from "#app/ui/seller/product/form-data.ts";
import { PromotionFields } from "#app/ui/seller/product/price-fields.tsx";
import { NameAndPrice, RowLink } from "#app/ui/seller/product/row-fields.tsx";
import { Rows } from "#app/ui/seller/product/rows.tsx";

type Props = { form: FormMetadata<ProductFormData>; list: FieldMetadata<BumpRowData[]>; maxRows: number };

/** Order bumps: products that buyers tick in the checkout. */
export function BumpRows({ form, list, maxRows }: Props) {
  return (
    <>
      <Alert tone="info" live={false}>
        <p>
          Ofertas que a pessoa marca no checkout e leva junto. <strong>Dicas:</strong> 2 a 3 bumps por
          produto, com preço de 30% a 50% do principal.
        </p>
      </Alert>
      <Rows
        {...{ form, list, maxRows }}
        noun="Order bump"
        ending="o"
        add="Adicionar order bump"
        empty={
          <EmptyState
            icon={Gift}
            title="Nenhum order bump"
            text="Adicione uma oferta complementar para vender mais na mesma compra."
          />
        }
      >
        {(row) => <BumpFields row={row} />}
      </Rows>
    </>
  );
}

function BumpFields({ row }: { row: FieldMetadata<BumpRowData> }) {
  const fields = row.getFieldset();
  return (
    <>
      <NameAndPrice fields={fields} />
      <PromotionFields fields={fields} />
      <PictureField
        field={fields.image_url}
        file={fields.image_url_file}
        pictureUse="bump"
        label="Imagem"
        hint="O ideal é um quadrado de 400 × 400 ou mais."
      />
      <RowLink field={fields.file_url} />
      <Toggle field={fields.is_active} label="Ativo" help="Só os ativos aparecem no checkout." />
    </>
  );
}
