import { getFormProps, useForm } from "@conform-to/react";
import { BRAZILIAN_STATES } from "#app/domain/storefront/store/brazilian-states.ts";
import { paths } from "#app/kit/paths.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { Select } from "#app/ui/seller/form/select.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** Labels of the form's fields. */
export const STORE_LABELS = {
  legal_name: "Nome ou razão social",
  tax_id: "CPF ou CNPJ",
  postal_code: "CEP",
  street: "Logradouro",
  number: "Número",
  complement: "Complemento",
  district: "Bairro",
  city: "Cidade",
  state: "Estado",
  email: "E-mail de contato",
  phone: "Telefone",
};

type Fields = Record<keyof typeof STORE_LABELS, string>;

type Props = {
  store: Record<keyof Fields, string | null>;
  version: string;
  reply: FormReply | null;
  onSaved: () => void;
};

export function StoreForm({ store, version, reply, onSaved }: Props) {
  const [form, fields] = useForm<Fields>({ id: "store", lastResult: reply, defaultValue: store });
  return (
    <RestoredForm
      {...getFormProps(form)}
      {...{ version, reply, onSaved }}
      intent="save"
      reload={paths.storeSettings()}
      className="flex flex-col gap-4"
    >
      <FormErrors errors={form.errors} />
      <Field
        field={fields.legal_name}
        label={STORE_LABELS.legal_name}
        help="Como está no seu CPF ou no cartão do CNPJ."
        autoComplete="organization"
        maxLength={150}
        required
      />
      <Field
        field={fields.tax_id}
        label={STORE_LABELS.tax_id}
        help="Quem vende como pessoa física mostra o CPF inteiro: ele identifica quem vende."
        placeholder="00.000.000/0000-00"
        maxLength={30}
        required
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          field={fields.postal_code}
          label={STORE_LABELS.postal_code}
          inputMode="numeric"
          autoComplete="postal-code"
          placeholder="00000-000"
          maxLength={10}
          required
        />
        <Select
          field={fields.state}
          label={STORE_LABELS.state}
          options={[
            { value: "", label: "Escolha" },
            ...BRAZILIAN_STATES.map((state) => ({ value: state, label: state })),
          ]}
          autoComplete="address-level1"
          required
        />
        <Field
          field={fields.city}
          label={STORE_LABELS.city}
          autoComplete="address-level2"
          maxLength={60}
          required
        />
        <Field field={fields.district} label={STORE_LABELS.district} maxLength={60} required />
      </div>
      <Field
        field={fields.street}
        label={STORE_LABELS.street}
        autoComplete="address-line1"
        placeholder="Rua das Flores"
        maxLength={120}
        required
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field field={fields.number} label={STORE_LABELS.number} maxLength={20} required />
        <Field
          field={fields.complement}
          label={STORE_LABELS.complement}
          optional
          autoComplete="address-line2"
          maxLength={60}
        />
        <Field
          field={fields.email}
          label={STORE_LABELS.email}
          type="email"
          autoComplete="email"
          help="Quem compra vê este endereço."
          required
        />
        <Field
          field={fields.phone}
          label={STORE_LABELS.phone}
          optional
          type="tel"
          autoComplete="tel"
          placeholder="(11) 98765-4321"
        />
      </div>
      <SubmitButton intent="save" className="btn-primary self-start lg:hidden">
        Salvar dados da loja
      </SubmitButton>
    </RestoredForm>
  );
}
