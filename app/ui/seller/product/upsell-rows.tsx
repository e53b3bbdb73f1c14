import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { Rocket } from "lucide-react";
import { Alert } from "#app/ui/seller/alert.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { PictureField } from "#app/ui/seller/picture/picture-field.tsx";
import type { ProductFormData, UpsellRowData } from "#app/ui/seller/product/form-data.ts";
import { NameAndPrice, RowLink } from "#app/ui/seller/product/row-fields.tsx";
import { Rows } from "#app/ui/seller/product/rows.tsx";

type Props = { form: FormMetadata<ProductFormData>; list: FieldMetadata<UpsellRowData[]>; maxRows: number };

/** Upsells: shown one after the other once the product is paid. */
export function UpsellRows({ form, list, maxRows }: Props) {
  return (
    <>
      <Alert tone="info" live={false}>
        Ofertas mostradas uma a uma depois do pagamento, nesta ordem. Quem aceita paga um novo PIX, sem
        preencher nada de novo.
      </Alert>
      <Rows
        {...{ form, list, maxRows }}
        noun="Oferta"
        ending="a"
        add="Adicionar oferta"
        empty={
          <EmptyState
            icon={Rocket}
            title="Nenhuma oferta de upsell"
            text="Ofereça algo mais a quem acabou de comprar."
          />
        }
      >
        {(row) => <UpsellFields row={row} />}
      </Rows>
    </>
  );
}

function UpsellFields({ row }: { row: FieldMetadata<UpsellRowData> }) {
  const fields = row.getFieldset();
  return (
    <>
      <NameAndPrice fields={fields} />
      <Textarea
        field={fields.benefits}
        label="Benefícios"
        optional
        rows={3}
        help="Um por linha."
        placeholder={"Aulas ao vivo\nGrupo exclusivo"}
      />
      <PictureField
        field={fields.image_url}
        file={fields.image_url_file}
        pictureUse="offer"
        label="Imagem"
        hint="O ideal é 600 × 600 ou mais: aparece inteira, e o vídeo a substitui."
      />
      <Field
        field={fields.video_url}
        label="Vídeo"
        optional
        type="url"
        inputMode="url"
        placeholder="https://"
        help="Aparece no lugar da imagem."
      />
      <RowLink field={fields.file_url} />
      <Toggle field={fields.is_active} label="Ativa" help="Só as ativas são mostradas." />
    </>
  );
}
