import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import { EventsCard } from "#app/routes/seller/settings/webhooks/events-card.tsx";
import {
  type EventChoice,
  FORM_NAMES,
  type WebhookFormFields,
} from "#app/routes/seller/settings/webhooks/fields.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { type ProductChoice, ProductsCard } from "#app/ui/seller/product/products-card.tsx";

/** A webhook's form: address, format, and its events. Give it the key of `useRestoredForm`. */
export function WebhookForm(props: {
  defaults: WebhookFormFields;
  events: EventChoice[];
  products: ProductChoice[];
  version?: string;
  reply: FormReply | null;
  reload?: string;
  onSaved?: () => void;
  submit: string;
}) {
  const [form, fields] = useForm<WebhookFormFields>({
    id: "webhook",
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
      intent="save"
      className="group flex flex-col gap-6"
    >
      <FormErrors
        errors={form.errors}
        fields={[
          [fields.name, "Nome"],
          [fields.url, "Endereço"],
          [fields.token, "Token"],
          [fields.events, "Eventos"],
          [fields.products, "Produtos"],
        ]}
      />
      <Card title="Endereço">
        <div className="flex flex-col gap-5">
          <Field
            field={fields.name}
            label="Nome"
            placeholder="Ex.: área de membros"
            maxLength={60}
            required
            help="Só você vê."
          />
          <Field
            field={fields.url}
            label="Endereço"
            type="url"
            inputMode="url"
            placeholder="https://"
            autoComplete="off"
            required
            help="Público e com https. Redirecionamentos não são seguidos: informe o endereço final."
          />
          <FormChoice field={fields.form} />
          <div className="hidden group-has-[input[name=form][value=hotmart]:checked]:block group-has-[input[name=form][value=kiwify]:checked]:block">
            <PasswordField
              field={fields.token}
              label="Token"
              autoComplete="off"
              maxLength={200}
              help="O que a ferramenta já conhece: o token do webhook da Kiwify ou o hottok da Hotmart. Vazio, criamos um."
            />
          </div>
          <Toggle
            field={fields.with_document}
            label="Enviar CPF ou CNPJ do comprador"
            help="Ligue apenas se a ferramenta precisa dele, por exemplo para emitir nota."
          />
        </div>
      </Card>
      <EventsCard
        field={fields.events}
        text="O que é avisado. Alguns eventos não existem nos formatos Kiwify e Hotmart."
        events={props.events.map((event) => ({
          ...event,
          name: event.id,
          more: (["kiwify", "hotmart"] as const).map((form) =>
            event.forms.includes(form) ? null : <NotIn key={form} form={form} />,
          ),
        }))}
      />
      <ProductsCard scope={fields.scope} field={fields.products} products={props.products} />
      <SubmitButton intent="save" className="btn-primary self-start lg:hidden">
        {props.submit}
      </SubmitButton>
    </RestoredForm>
  );
}

const FORM_TEXTS = [
  ["standard", "Para sistemas seus, n8n, Make e Zapier. Assinado como manda o Standard Webhooks."],
  ["kiwify", "Para ferramentas que já recebem da Kiwify: basta trocar o endereço."],
  ["hotmart", "Para ferramentas que já recebem da Hotmart (versão 2.0.0)."],
] as const;

function FormChoice({ field }: { field: FieldMetadata<string> }) {
  return (
    <fieldset id={field.id}>
      <legend className="mb-1.5 font-medium text-sm">Formato</legend>
      <div className="flex flex-col gap-2">
        {FORM_TEXTS.map(([value, text]) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-start gap-3 rounded-field border border-base-content/25 px-3 py-2.5 text-sm has-checked:border-primary has-checked:bg-primary/10"
          >
            <input
              type="radio"
              name={field.name}
              value={value}
              defaultChecked={field.initialValue === value}
              className="radio radio-primary radio-sm mt-0.5 shrink-0"
            />
            <span className="min-w-0">
              <span className="block font-medium">{FORM_NAMES[value]}</span>
              <span className="block text-base-content/70 text-xs">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const SHORT = { kiwify: "Kiwify", hotmart: "Hotmart" } as const;

/** Shown while that format is selected. */
function NotIn({ form }: { form: keyof typeof SHORT }) {
  const values = {
    kiwify: "hidden group-has-[input[name=form][value=kiwify]:checked]:inline",
    hotmart: "hidden group-has-[input[name=form][value=hotmart]:checked]:inline",
  };
  return (
    <span className={values[form]}>
      <Badge tone="neutral">Não existe na {SHORT[form]}</Badge>
    </span>
  );
}
