import { Link } from "@remix-run/react";
import { useState } from "react";
import { describeTestMailAccount } from "#app/domain/mail/sending/describe-test-mail-account.ts";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Field, type FieldMeta } from "#app/ui/seller/form/field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

/** The last test's result. */
export type Tested = { success: boolean; message: string; via: "seller" | "platform" };

/** Sends the mail with its unsaved changes and example data to an address. Its controls belong to the mail's form. */
export function TestCard({
  field,
  form,
  sellerEmail,
}: {
  field: FieldMeta;
  form: string;
  sellerEmail: string;
}) {
  const [isEmpty, setIsEmpty] = useState(false);
  return (
    <Card
      title="Enviar e-mail de teste"
      text="Usa o modelo como está escrito, salvo ou não, e a chave como está salva."
    >
      <div className="flex flex-col gap-4">
        <Field
          field={{
            id: field.id,
            name: field.name,
            key: field.key,
            errors: field.errors,
            errorId: field.errorId,
            descriptionId: field.descriptionId,
            initialValue: field.initialValue ?? sellerEmail,
          }}
          form={form}
          label="E-mail para teste"
          type="email"
          autoComplete="email"
          help={isEmpty ? "Digite um email para teste" : undefined}
          onChange={(event) => setIsEmpty(event.currentTarget.value.trim() === "")}
        />
        <SubmitButton
          form={form}
          intent="test"
          pending="Enviando..."
          disabled={isEmpty}
          className="btn-outline self-start"
        >
          Enviar teste
        </SubmitButton>
      </div>
    </Card>
  );
}

/** The test's result, and the account that sent it. */
export function TestOutcome({ tested }: { tested: Tested }) {
  const { success, message, via } = tested;
  return (
    <Outcome about={tested} tone={success ? "success" : "error"}>
      <p>{message}</p>
      <p className="mt-1">{describeTestMailAccount(via)}</p>
      {!success && /dom[ií]n/i.test(message) && (
        <p className="mt-1 flex flex-wrap gap-x-4">
          <Link to={paths.emailSettings("domain")} className="link inline-flex min-h-11 items-center">
            Configurar domínio
          </Link>
          <a
            href="https://resend.com/pricing"
            className="link inline-flex min-h-11 items-center"
            target="_blank"
            rel="noreferrer"
          >
            Ver planos do Resend
          </a>
        </p>
      )}
    </Outcome>
  );
}
