import { getFormProps, useForm } from "@conform-to/react";
import type { NamedClass } from "#app/domain/delivery/member-area/settings.ts";
import { ClassesCard } from "#app/routes/seller/settings/members/classes-card.tsx";
import {
  type ItemChoice,
  type MemberFormFields,
  SERVICES,
} from "#app/routes/seller/settings/members/fields.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { type ProductChoice, ProductsCard } from "#app/ui/seller/product/products-card.tsx";

/** A member area's form: service, key, and what opens what. Give it the key of `useRestoredForm`. */
export function MemberForm(props: {
  defaults: MemberFormFields;
  products: ProductChoice[];
  items: ItemChoice[];
  known: NamedClass[];
  version?: string;
  reply: FormReply | null;
  reload?: string;
  onSaved?: () => void;
  submit: string;
}) {
  const [form, fields] = useForm<MemberFormFields>({
    id: "member-area",
    lastResult: props.reply,
    defaultValue: props.defaults,
  });
  const { kind } = props.defaults;
  const service = SERVICES[kind];
  const isCademi = kind === "cademi";
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
      <input type="hidden" name="kind" value={kind} />
      <FormErrors
        errors={form.errors}
        fields={[
          [fields.name, "Nome"],
          [fields.area, "Endereço da área"],
          [fields.token, service.token],
          [fields.products, "Produtos"],
          ...(isCademi
            ? []
            : fields.classes
                .getFieldList()
                .map(
                  (row, at) => [row.getFieldset().ids, props.items[at]?.name ?? "Turmas"] as [never, string],
                )),
        ]}
      />
      <Card title="Conta" text={service.where}>
        <div className="flex flex-col gap-5">
          <Field
            field={fields.name}
            label="Nome"
            placeholder="Ex.: escola principal"
            maxLength={60}
            required
            help="Só você vê."
          />
          {isCademi && (
            <Field
              field={fields.area}
              label="Endereço da área"
              placeholder="minha-escola"
              suffix={<span className="text-base-content/70">.cademi.com.br</span>}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              maxLength={300}
              required
              help="O começo do endereço que a Cademí deu à sua área, também onde ela tem um domínio próprio."
            />
          )}
          <PasswordField
            field={fields.token}
            label={service.token}
            autoComplete="off"
            maxLength={500}
            help="Guardado com criptografia; depois de salvo, só aparece mascarado."
          />
          {isCademi && (
            <Toggle
              field={fields.with_document}
              label="Enviar CPF ou CNPJ do comprador"
              help="Ligue apenas se a sua área precisa dele. Nome, e-mail e telefone sempre vão."
            />
          )}
        </div>
      </Card>
      {isCademi ? (
        <ProductsCard scope={fields.scope} field={fields.products} products={props.products} />
      ) : (
        <ClassesCard field={fields.classes} items={props.items} known={props.known} />
      )}
      <Card title="Quando o dinheiro volta">
        <Toggle
          field={fields.revokes}
          label="Encerrar o acesso em reembolso ou chargeback"
          help={service.revokes}
        />
      </Card>
      <SubmitButton intent="save" className="btn-primary self-start lg:hidden">
        {props.submit}
      </SubmitButton>
    </RestoredForm>
  );
}
