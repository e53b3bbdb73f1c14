import { getFormProps, useForm } from "@conform-to/react";
import { type PixelFormFields, SERVICES } from "#app/routes/seller/settings/pixels/fields.ts";
import { EventsCard } from "#app/routes/seller/settings/webhooks/events-card.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { type ProductChoice, ProductsCard } from "#app/ui/seller/product/products-card.tsx";

type EventChoice = { id: string; label: string; text: string; name: string };

/** A pixel's form: service, token, and its events. Give it the key of `useRestoredForm`. */
export function PixelForm(props: {
  defaults: PixelFormFields;
  events: EventChoice[];
  products: ProductChoice[];
  mayCountPix: boolean;
  version?: string;
  reply: FormReply | null;
  reload?: string;
  onSaved?: () => void;
  submit: string;
}) {
  const [form, fields] = useForm<PixelFormFields>({
    id: "pixel",
    lastResult: props.reply,
    defaultValue: props.defaults,
  });
  const service = SERVICES[props.defaults.kind];
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
      <input type="hidden" name="kind" value={props.defaults.kind} />
      <FormErrors
        errors={form.errors}
        fields={[
          [fields.name, "Nome"],
          [fields.pixel_id, service.id],
          [fields.token, service.token],
          [fields.events, "Eventos"],
          [fields.products, "Produtos"],
        ]}
      />
      <Card title="Acesso" text={service.where}>
        <div className="flex flex-col gap-5">
          <Field
            field={fields.name}
            label="Nome"
            placeholder="Ex.: conta principal"
            maxLength={60}
            required
            help="Só você vê."
          />
          <Field
            field={fields.pixel_id}
            label={service.id}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            required
          />
          <PasswordField
            field={fields.token}
            label={service.token}
            autoComplete="off"
            maxLength={500}
            help="Guardado com criptografia; depois de salvo, só aparece mascarado."
          />
        </div>
      </Card>
      <EventsCard
        field={fields.events}
        text="Cada um é enviado com o valor da venda e um identificador que não muda."
        events={props.events}
      />
      {props.mayCountPix && (
        <Card title="PIX gerado">
          <Toggle
            field={fields.counts_pix}
            label="Contar PIX gerado como compra"
            help="O anúncio recebe a compra quando o código é gerado, antes do pagamento. Ensina mais rápido quem compra, mas conta também quem não paga: o retorno que o painel mostra fica maior que o real. O pagamento usa o mesmo identificador, e o serviço não conta duas vezes."
          />
        </Card>
      )}
      <ProductsCard scope={fields.scope} field={fields.products} products={props.products} />
      <SubmitButton intent="save" className="btn-primary self-start lg:hidden">
        {props.submit}
      </SubmitButton>
    </RestoredForm>
  );
}
