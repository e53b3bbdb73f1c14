import type { FieldMetadata } from "@conform-to/react";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { PictureField } from "#app/ui/seller/picture/picture-field.tsx";
import type { ProductFormData } from "#app/ui/seller/product/form-data.ts";

export type ProductFieldset = { [K in keyof ProductFormData]: FieldMetadata<ProductFormData[K]> };

/** Name, description, on sale or not. */
export function BasicFields({ fields }: { fields: ProductFieldset }) {
  return (
    <>
      <NameField field={fields.name} />
      <AboutFields fields={fields} />
    </>
  );
}

export function NameField({ field }: { field: ProductFieldset["name"] }) {
  return <Field field={field} label="Nome do produto" maxLength={200} required />;
}

/** Description, on sale or not. */
export function AboutFields({ fields }: { fields: ProductFieldset }) {
  return (
    <>
      <Textarea
        field={fields.description}
        label="Descrição"
        optional
        rows={5}
        maxLength={5000}
        help="O que a pessoa recebe ao comprar."
      />
      <Toggle
        field={fields.is_active}
        label="Produto ativo"
        help="Um produto inativo não pode ser comprado: o checkout responde que não existe."
      />
    </>
  );
}

/** The checkout's URL. */
export function SlugField({ fields }: { fields: ProductFieldset }) {
  return (
    <Field
      field={fields.checkout_slug}
      label="Endereço do checkout"
      optional
      prefix="/checkout/s/"
      placeholder="curso-de-violao"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={80}
      help="Letras sem acento, números e hífens. Vazio, o endereço usa o número do produto."
    />
  );
}

/** What the buyer gets, and where they are sent afterwards. */
export function ContentFields({ fields }: { fields: ProductFieldset }) {
  return (
    <>
      <FileField field={fields.file_url} isNew={false} />
      <RedirectField field={fields.redirect_url} />
    </>
  );
}

/** Of the link of a product that exists, an order bump or an upsell. */
export const FILE_HELP =
  "Só quem pagou recebe, por um link nosso que expira. Pode ficar vazio se houver arquivos, links ou textos em Conteúdo.";

/** What the buyer gets. */
export function FileField({ field, isNew }: { field: ProductFieldset["file_url"]; isNew: boolean }) {
  return (
    <Field
      field={field}
      label="Link do arquivo"
      type="url"
      inputMode="url"
      placeholder="https://"
      optional
      help={
        isNew
          ? "O arquivo ou a pasta do produto. Só quem pagou recebe, por um link nosso que expira. Vazio, você envia o arquivo logo depois de criar."
          : FILE_HELP
      }
    />
  );
}

/** Where buyers are sent afterwards. */
export function RedirectField({ field }: { field: ProductFieldset["redirect_url"] }) {
  return (
    <Field
      field={field}
      label="Link de redirecionamento"
      optional
      type="url"
      inputMode="url"
      placeholder="https://"
      help="A área de membros, por exemplo: aparece na página de obrigado."
    />
  );
}

/** Pictures of the checkout. */
export function PictureFields({ fields }: { fields: ProductFieldset }) {
  return (
    <>
      <PictureField
        field={fields.image_url}
        file={fields.image_url_file}
        pictureUse="product"
        label="Imagem do produto"
        hint="O ideal é um quadrado de 600 × 600 ou mais."
      />
      <PictureField
        field={fields.banner_image_url}
        file={fields.banner_image_url_file}
        pictureUse="banner"
        label="Imagem do banner"
        hint="O ideal é 1200 × 300 ou mais, na proporção 4:1."
      />
      <Field
        field={fields.banner_link_url}
        label="Link do banner"
        optional
        type="url"
        inputMode="url"
        placeholder="https://"
        help="Para onde vai quem toca no banner."
      />
    </>
  );
}
