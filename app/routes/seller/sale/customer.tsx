import { useForm } from "@conform-to/react";
import { Link, useSearchParams } from "@remix-run/react";
import { Pencil } from "lucide-react";
import { useState } from "react";
import type { ShownSale } from "#app/domain/reports/show-sale.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { KeptForm, type KeptReply, useKept } from "#app/ui/seller/form/kept-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Sale = ShownSale["sale"];

/** Who bought. Name and e-mail can be corrected; whether they are being so is in the address. */
export function SaleCustomer(props: {
  sale: Sale;
  version: string;
  editing: boolean;
  lastResult: KeptReply | null;
}) {
  const { sale, editing } = props;
  const { shown, key, onSaved } = useKept("cliente", props);
  const [query] = useSearchParams();
  const edit = new URLSearchParams(query);
  edit.set("edit", "customer");
  return (
    <Card
      title="Dados do Cliente"
      action={
        !editing && (
          <Link
            to={paths.sale(sale.id, edit.toString())}
            preventScrollReset
            replace
            className="btn btn-ghost btn-sm min-h-11"
          >
            <Pencil className="size-4" aria-hidden="true" />
            Editar
            <span className="sr-only"> dados do cliente</span>
          </Link>
        )
      }
    >
      {editing ? (
        <CustomerForm key={key} {...shown} lastResult={props.lastResult} onSaved={onSaved} />
      ) : (
        <dl className="grid gap-4 text-sm sm:grid-cols-2">
          <Item label="Nome" text={sale.customerName} />
          <Item label="Email" text={sale.customerEmail} />
          <Item label="IP" text={sale.customerIp} />
          <Item label="Data da compra" text={formatDateTime(sale.createdAt)} />
        </dl>
      )}
    </Card>
  );
}

function Item({ label, text }: { label: string; text: string | null }) {
  return (
    <div className="min-w-0">
      <dt className="text-base-content/70 text-xs">{label}</dt>
      <dd className="mt-0.5 break-words">{text || "N/A"}</dd>
    </div>
  );
}

function CustomerForm(props: {
  sale: Sale;
  version: string;
  lastResult: KeptReply | null;
  onSaved: () => void;
}) {
  const { sale } = props;
  const [query] = useSearchParams();
  const [email, setEmail] = useState(sale.customerEmail ?? "");
  const [form, fields] = useForm<{ customer_name: string; customer_email: string }>({
    id: "cliente",
    lastResult: props.lastResult,
    defaultValue: { customer_name: sale.customerName, customer_email: sale.customerEmail },
  });
  const reading = new URLSearchParams(query);
  reading.delete("edit");
  return (
    <KeptForm
      id={form.id}
      version={props.version}
      reply={props.lastResult}
      reload={paths.sale(sale.id, query.toString())}
      onSaved={props.onSaved}
      preventScrollReset
      replace
      className="flex flex-col gap-4"
    >
      <FormErrors
        errors={form.errors}
        fields={[
          [fields.customer_name, "Nome"],
          [fields.customer_email, "Email"],
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field field={fields.customer_name} label="Nome" maxLength={200} autoComplete="off" />
        <Field
          field={fields.customer_email}
          label="Email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          help="O acesso reenviado vai para este endereço."
          onChange={(event) => setEmail(event.target.value)}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <fieldset disabled={email.trim() === ""}>
          <SubmitButton>Salvar</SubmitButton>
        </fieldset>
        <Link
          to={paths.sale(sale.id, reading.toString())}
          preventScrollReset
          replace
          className="btn btn-ghost min-h-11"
        >
          Cancelar
        </Link>
      </div>
    </KeptForm>
  );
}
