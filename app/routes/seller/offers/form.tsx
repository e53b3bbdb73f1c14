import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import { OFFER_FIELDS, OFFER_PLACES } from "#app/routes/seller/offers/field-labels.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { ChoiceField } from "#app/ui/seller/form/choice-field.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field, type FieldMeta } from "#app/ui/seller/form/field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SaveBar } from "#app/ui/seller/form/save-bar.tsx";
import { type ScopeChoice, ScopeField } from "#app/ui/seller/form/scope-field.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

/** An offer's form as its fields hold it. Moments are texts of São Paulo time. */
export type OfferFormData = {
  name: string;
  kind: "link" | "listed" | "tier";
  price: string;
  original_price: string;
  slug: string;
  starts_at: string;
  ends_at: string;
  max_units: string;
  max_units_per_buyer: string;
  min_quantity: string;
  max_quantity: string;
  bumps_scope: "all" | "some";
  bumps: string[];
  upsells_scope: "all" | "some";
  upsells: string[];
  content_scope: "all" | "some";
  content: string[];
  is_active: boolean;
};

/** `base`: what an offer's address begins with. */
export type OfferChoices = {
  bumps: ScopeChoice[];
  upsells: ScopeChoice[];
  content: ScopeChoice[];
  base: string;
};

type Fields = { [K in keyof OfferFormData]: FieldMetadata<OfferFormData[K]> };

/** The form of an offer. Give it the key of `useRestoredForm`. */
export function OfferForm(props: {
  defaults: OfferFormData;
  choices: OfferChoices;
  cancel: string;
  version?: string;
  reply: FormReply | null;
  reload?: string;
  onSaved?: () => void;
  submit: string;
}) {
  const { choices } = props;
  const [form, fields] = useForm<OfferFormData>({
    id: "oferta",
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
      className="flex flex-col gap-6"
    >
      <FormErrors
        errors={form.errors}
        fields={Object.entries(OFFER_FIELDS).map(([name, label]) => [
          fields[name as keyof OfferFormData] as FieldMetadata,
          label,
        ])}
      />
      <Price fields={fields} base={choices.base} />
      <Limits fields={fields} />
      <Included title="Order bumps" scope={fields.bumps_scope} field={fields.bumps} choices={choices.bumps} />
      <Included
        title="Upsells"
        scope={fields.upsells_scope}
        field={fields.upsells}
        choices={choices.upsells}
      />
      <Included
        title="Conteúdo"
        text="O que recebe quem compra por esta oferta, e também quem já comprou por ela."
        all="Todo o do produto"
        scope={fields.content_scope}
        field={fields.content}
        choices={choices.content}
      />
      <SaveBar cancel={props.cancel} submit={props.submit} />
    </RestoredForm>
  );
}

const MONEY = { prefix: "R$", inputMode: "decimal", autoComplete: "off", maxLength: 20 } as const;

function Price({ fields, base }: { fields: Fields; base: string }) {
  return (
    <Card title="Nome e preço">
      <div className="flex flex-col gap-5">
        <Field
          field={fields.name}
          label="Nome"
          placeholder="Primeiro lote"
          autoComplete="off"
          maxLength={100}
          required
          help="Quem compra também o vê."
        />
        <ChoiceField field={fields.kind} label="Onde aparece" choices={OFFER_PLACES} />
        <p className="-mt-3 text-base-content/70 text-xs">
          Link próprio: só quem tem o link a vê. Página do produto: o checkout do produto também a mostra,
          como outra opção. Lote: é o preço do link do produto enquanto estiver aberta; acabou, vale o lote
          seguinte.
        </p>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            field={fields.price}
            label="Preço"
            {...MONEY}
            placeholder="47,00"
            required
            help="De uma unidade. 0 é grátis."
          />
          <Field
            field={fields.original_price}
            label="Preço original"
            {...MONEY}
            placeholder="97,00"
            optional
            help="Aparece riscado quando é maior que o preço."
          />
        </div>
        <Field
          field={fields.slug}
          label="Endereço"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={80}
          optional
          help={
            <>
              O fim do link: <span className="wrap-anywhere">{base}…</span> Um endereço sorteado ninguém
              adivinha.
            </>
          }
        />
        <Toggle
          field={fields.is_active}
          label="Oferta ativa"
          help="Pausada, ninguém compra por este preço."
        />
      </div>
    </Card>
  );
}

function Limits({ fields }: { fields: Fields }) {
  const moment = { type: "datetime-local", max: "2100-12-31T23:59", optional: true } as const;
  const count = { inputMode: "numeric", autoComplete: "off", maxLength: 9 } as const;
  return (
    <Card title="Período e limites" text="O que ficar vazio não limita.">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 [&_input]:min-w-0">
        <Field field={fields.starts_at} label="Início" {...moment} help="Horário de Brasília." />
        <Field field={fields.ends_at} label="Fim" {...moment} help="A partir deste momento não vale mais." />
        <Field
          field={fields.max_units}
          label="Limite de unidades"
          {...count}
          optional
          help="Contam os pedidos pagos e os que têm um PIX a pagar. Um PIX que vence devolve a unidade."
        />
        <Field
          field={fields.max_units_per_buyer}
          label="Limite por pessoa"
          {...count}
          optional
          help="Por e-mail e por CPF ou CNPJ. Para quem não informa nenhum deles, o limite não é contado."
        />
        <Field field={fields.min_quantity} label="Quantidade mínima" {...count} help="Unidades por pedido." />
        <Field
          field={fields.max_quantity}
          label="Quantidade máxima"
          {...count}
          help="Com mais de 1, quem compra escolhe quantas quer. Até 1.000."
        />
      </div>
    </Card>
  );
}

/**
 * What comes with the offer, of one kind. Nothing where the product has none, unless only some were chosen: without the
 * field a save would include all.
 */
function Included(props: {
  title: string;
  text?: string;
  all?: string;
  scope: FieldMeta;
  field: FieldMeta;
  choices: ScopeChoice[];
}) {
  const { title, text, all = "Todos os do produto", ...fields } = props;
  if (props.choices.length === 0 && props.scope.initialValue !== "some") return null;
  return (
    <Card title={title} text={text}>
      <ScopeField label={title} all={all} {...fields} none="O produto não tem nenhum." />
    </Card>
  );
}
