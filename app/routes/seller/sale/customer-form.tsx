import { useForm } from "@conform-to/react";
import { Link, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import type { SaleView } from "#app/domain/reports/show-sale.server.ts";
import { paths } from "#app/kit/paths.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { startOver } from "#app/ui/seller/form/save-conflict.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/** Corrects the buyer's name and e-mail. */
export function CustomerForm(props: {
  sale: SaleView["sale"];
  version: string;
  lastResult: FormReply | null;
  onSaved: () => void;
}) {
  const { sale } = props;
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const [form, fields] = useForm<{ customer_name: string; customer_email: string }>({
    id: "cliente",
    lastResult: props.lastResult,
    defaultValue: { customer_name: sale.customerName, customer_email: sale.customerEmail },
  });
  const [email, setEmail] = useState(String(fields.customer_email.initialValue ?? ""));
  const reading = new URLSearchParams(query);
  reading.delete("edit");
  return (
    <RestoredForm
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
          help="Se você o corrigir, o acesso vai para o endereço novo e o antigo é avisado. Vale para a compra inteira, com as ofertas aceitas."
          onChange={(event) => setEmail(event.target.value)}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        {/* Without a script nothing would enable it. */}
        <fieldset disabled={hydrated && email.trim() === ""}>
          <SubmitButton>Salvar</SubmitButton>
        </fieldset>
        <Link
          to={paths.sale(sale.id, reading.toString())}
          // Cancelling discards what was typed.
          state={startOver(form.id)}
          preventScrollReset
          replace
          className="btn btn-ghost min-h-11"
        >
          Cancelar
        </Link>
      </div>
    </RestoredForm>
  );
}
