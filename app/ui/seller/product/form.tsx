import { type FormMetadata, parse, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { MAX_BUMPS_OR_UPSELLS } from "#app/domain/catalog/product-limits.ts";
import { paths } from "#app/kit/paths.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { openTabOf } from "#app/ui/seller/form/open-tab-of.ts";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SaveBar } from "#app/ui/seller/form/save-bar.tsx";
import { FormTabs } from "#app/ui/seller/form/tabs.tsx";
import { useHydrated } from "#app/ui/seller/hydrated.ts";
import {
  AboutFields,
  BasicFields,
  ContentFields,
  FileField,
  NameField,
  PictureFields,
  type ProductFieldset,
  RedirectField,
  SlugField,
} from "#app/ui/seller/product/basic-fields.tsx";
import { BumpRows } from "#app/ui/seller/product/bump-rows.tsx";
import { labelled } from "#app/ui/seller/product/field-labels.ts";
import type { ProductFormData, ProductFormDefaults } from "#app/ui/seller/product/form-data.ts";
import {
  ComparisonFields,
  PriceField,
  PriceFields,
  PromotionFields,
} from "#app/ui/seller/product/price-fields.tsx";
import { PricePreview } from "#app/ui/seller/product/price-preview.tsx";
import { UpsellRows } from "#app/ui/seller/product/upsell-rows.tsx";

type Meta = FormMetadata<ProductFormData>;
type Tab = { id: string; label: string; fields: (keyof ProductFormData)[]; content: ReactNode };

/**
 * The form of a product: `new` has the four tabs of creation, `known` those of editing. Give it the key of
 * `useRestoredForm`.
 */
export function ProductForm(props: {
  stage: "new" | "known";
  defaults: ProductFormDefaults;
  version?: string;
  lastResult: FormReply | null;
  submit: string;
  reload?: string;
  onSaved?: () => void;
}) {
  const [form, fields] = useForm<ProductFormData>({
    id: "produto",
    lastResult: props.lastResult,
    defaultValue: props.defaults as never,
    // Adding, moving and removing rows needs no server; everything else is validated there.
    onValidate: ({ formData }) =>
      parse(formData, { resolve: (_, intent) => (intent ? { error: {} } : { error: null }) }) as never,
  });
  const hydrated = useHydrated();
  const tabs = props.stage === "new" ? newTabs(form, fields) : knownTabs(form, fields);
  return (
    <RestoredForm
      id={form.id}
      version={props.version}
      reply={props.lastResult}
      reload={props.reload}
      // Without a script its pictures are sent with it.
      encType={hydrated ? undefined : "multipart/form-data"}
      onSaved={props.onSaved}
      onSubmit={form.onSubmit}
      onClick={openTabOf}
      className="flex flex-col gap-6"
    >
      <FormErrors
        errors={form.errors}
        fields={labelled(fields).filter(
          ([field]) => !form.errors || !/ é obrigatório$/.test(field.errors?.[0] ?? ""),
        )}
      />
      {props.stage === "new" && <Essentials fields={fields} />}
      <div className="rounded-box border border-base-300 bg-base-100 p-4 sm:p-6">
        {props.stage === "new" && (
          <p className="mb-4 text-base-content/70 text-sm">
            O resto é opcional e pode ser mudado depois: sem nada aqui, o checkout já fica pronto.
          </p>
        )}
        <FormTabs
          label="Seções do produto"
          opened={String(props.lastResult?.initialValue?.tab ?? "")}
          tabs={tabs.map((tab) => ({
            id: tab.id,
            label: tab.label,
            hasError: tab.fields.some((name) => !fields[name].valid),
            content: <div className="flex flex-col gap-5">{tab.content}</div>,
          }))}
        />
      </div>
      <SaveBar cancel={paths.products()} submit={props.submit} />
    </RestoredForm>
  );
}

/** The required fields, shown with every tab. */
function Essentials({ fields }: { fields: ProductFieldset }) {
  return (
    <fieldset className="min-w-0 rounded-box border border-base-300 bg-base-100 p-4 sm:p-6">
      <legend className="sr-only">O essencial</legend>
      <div className="grid gap-5 sm:grid-cols-[1fr_11rem]">
        <NameField field={fields.name} />
        <PriceField field={fields.price} />
        <div className="sm:col-span-2">
          <FileField field={fields.file_url} isNew />
        </div>
      </div>
    </fieldset>
  );
}

function newTabs(form: Meta, fields: ProductFieldset): Tab[] {
  return [
    {
      id: "basico",
      label: "Informações Básicas",
      fields: ["description", "is_active"],
      content: <AboutFields fields={fields} />,
    },
    {
      id: "precos",
      label: "Preços e Promoções",
      fields: PRICING.filter((name) => name !== "price"),
      content: (
        <>
          <ComparisonFields fields={fields} />
          <PromotionFields fields={fields} />
          <PricePreview fields={fields} />
        </>
      ),
    },
    bumpTab(form, fields),
    {
      id: "midia",
      label: "Mídia e Links",
      fields: [...CONTENT.filter((name) => name !== "file_url"), "checkout_slug"],
      content: (
        <>
          <RedirectField field={fields.redirect_url} />
          <SlugField fields={fields} />
          <PictureFields fields={fields} />
        </>
      ),
    },
  ];
}

function knownTabs(form: Meta, fields: ProductFieldset): Tab[] {
  return [
    {
      id: "basico",
      label: "Informações Básicas",
      fields: ["name", "description", "is_active", "checkout_slug", ...PRICING],
      content: (
        <>
          <BasicFields fields={fields} />
          <Pricing fields={fields} />
          <SlugField fields={fields} />
        </>
      ),
    },
    {
      id: "conteudo",
      label: "Conteúdo Digital",
      fields: CONTENT,
      content: (
        <>
          <ContentFields fields={fields} />
          <PictureFields fields={fields} />
        </>
      ),
    },
    bumpTab(form, fields),
    {
      id: "upsells",
      label: "Upsells",
      fields: ["upsells"],
      content: <UpsellRows form={form} list={fields.upsells} maxRows={MAX_BUMPS_OR_UPSELLS} />,
    },
  ];
}

function bumpTab(form: Meta, fields: ProductFieldset): Tab {
  return {
    id: "bumps",
    label: "Order Bumps",
    fields: ["orderBumps"],
    content: <BumpRows form={form} list={fields.orderBumps} maxRows={MAX_BUMPS_OR_UPSELLS} />,
  };
}

function Pricing({ fields }: { fields: ProductFieldset }) {
  return (
    <>
      <PriceFields fields={fields} />
      <PromotionFields fields={fields} />
      <PricePreview fields={fields} />
    </>
  );
}

const PRICING = [
  "price",
  "original_price",
  "discount_percentage",
  "promotion_text",
  "urgency_text",
] as const satisfies (keyof ProductFormData)[] as (keyof ProductFormData)[];
const CONTENT: (keyof ProductFormData)[] = [
  "file_url",
  "redirect_url",
  "image_url",
  "banner_image_url",
  "banner_link_url",
];
