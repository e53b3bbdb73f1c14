import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import { paths } from "#app/kit/paths.ts";
import { COUPON_FIELDS, DISCOUNT_KINDS } from "#app/routes/seller/coupons/field-labels.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { ChoiceField } from "#app/ui/seller/form/choice-field.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SaveBar } from "#app/ui/seller/form/save-bar.tsx";
import { type ScopeChoice, ScopeField } from "#app/ui/seller/form/scope-field.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { type ProductChoice, ProductsCard } from "#app/ui/seller/product/products-card.tsx";

/** A coupon's form as its fields hold it. Moments are texts of São Paulo time. */
export type CouponFormData = {
  code: string;
  discount_kind: "percent" | "amount";
  discount: string;
  includes_bumps: boolean;
  scope: "all" | "some";
  products: string[];
  offers_scope: "all" | "some";
  offer_ids: string[];
  starts_at: string;
  ends_at: string;
  max_uses: string;
  max_uses_per_buyer: string;
  minimum: string;
  first_purchase_only: boolean;
  is_active: boolean;
};

type Fields = { [K in keyof CouponFormData]: FieldMetadata<CouponFormData[K]> };

/** The form of a coupon. Give it the key of `useRestoredForm`. */
export function CouponForm(props: {
  defaults: CouponFormData;
  products: ProductChoice[];
  offers: ScopeChoice[];
  version?: string;
  reply: FormReply | null;
  reload?: string;
  onSaved?: () => void;
  submit: string;
}) {
  const [form, fields] = useForm<CouponFormData>({
    id: "cupom",
    lastResult: props.reply,
    defaultValue: props.defaults,
  });
  return (
    <RestoredForm
      {...getFormProps(form)}
      version={props.version}
      reply={props.reply}
      reload={props.reload}
      onSaved={props.onSaved}
      className="group flex flex-col gap-6"
    >
      <FormErrors
        errors={form.errors}
        fields={Object.entries(COUPON_FIELDS).map(([name, label]) => [
          fields[name as keyof CouponFormData] as FieldMetadata,
          label,
        ])}
      />
      <Discount fields={fields} />
      <ProductsCard scope={fields.scope} field={fields.products} products={props.products} />
      {/* Without the field a coupon for offers that were all deleted would be saved as one for everything. */}
      {(props.offers.length > 0 || fields.offers_scope.initialValue === "some") && (
        <Card title="Ofertas">
          <ScopeField
            label="Ofertas"
            scope={fields.offers_scope}
            field={fields.offer_ids}
            all="Todas as dos produtos, e o preço do próprio produto"
            some="Só as marcadas abaixo"
            choices={props.offers}
            none="As ofertas deste cupom foram apagadas."
          />
        </Card>
      )}
      <Limits fields={fields} />
      <SaveBar cancel={paths.coupons()} submit={props.submit} />
    </RestoredForm>
  );
}

function Discount({ fields }: { fields: Fields }) {
  return (
    <Card title="Código e desconto">
      <div className="flex flex-col gap-5">
        <Field
          field={fields.code}
          label="Código"
          placeholder="LANCAMENTO20"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          required
          help="De 3 a 32 letras, números, hífens ou sublinhados. Maiúsculas e acentos não fazem diferença para quem digita."
        />
        <ChoiceField field={fields.discount_kind} label="Tipo de desconto" choices={DISCOUNT_KINDS} />
        <Field
          field={fields.discount}
          label="Desconto"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          required
          suffix={
            <span className="text-base-content/70" aria-hidden="true">
              <span className="group-has-[input[value=amount]:checked]:hidden">%</span>
              <span className="hidden group-has-[input[value=amount]:checked]:inline">reais</span>
            </span>
          }
          help="Com 100%, ou com o preço todo, sai grátis. Um total menor que R$ 0,50, sem ser grátis, não pode ser pago por PIX."
        />
        <Toggle
          field={fields.includes_bumps}
          label="Desconto também nos order bumps"
          help="Sem isto, só o produto fica mais barato."
          className="group-has-[input[value=amount]:checked]:hidden"
        />
        <Toggle
          field={fields.is_active}
          label="Cupom ativo"
          help="Pausado, ele não vale no checkout nem nos links."
        />
      </div>
    </Card>
  );
}

function Limits({ fields }: { fields: Fields }) {
  const moment = { type: "datetime-local", max: "2100-12-31T23:59", optional: true } as const;
  const count = { inputMode: "numeric", autoComplete: "off", maxLength: 9, optional: true } as const;
  return (
    <Card title="Validade e limites" text="O que ficar vazio não limita.">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 [&_input]:min-w-0">
        <Field field={fields.starts_at} label="Início" {...moment} help="Horário de Brasília." />
        <Field field={fields.ends_at} label="Fim" {...moment} help="A partir deste momento não vale mais." />
        <Field
          field={fields.max_uses}
          label="Limite de usos"
          {...count}
          help="Contam os pedidos pagos e os que têm um PIX a pagar. Um PIX que vence devolve o uso."
        />
        <Field
          field={fields.max_uses_per_buyer}
          label="Limite por pessoa"
          {...count}
          help="Por e-mail e por CPF ou CNPJ. Quem compra sem informar nenhum deles não pode usar o cupom."
        />
        <Field
          field={fields.minimum}
          label="Preço mínimo"
          prefix="R$"
          inputMode="decimal"
          autoComplete="off"
          optional
          help="Só vale para produtos a partir deste preço, sem contar order bumps."
        />
        <Toggle
          field={fields.first_purchase_only}
          label="Só na primeira compra"
          help="Uma vez por pessoa. Não vale para quem já comprou de você com o mesmo e-mail, nem para quem não informa e-mail nem CPF."
          className="sm:mt-7"
        />
      </div>
    </Card>
  );
}
