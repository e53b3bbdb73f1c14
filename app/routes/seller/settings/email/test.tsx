import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form, Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";

/** What the last test told. */
export type Tested = { success: boolean; message: string; via: "seller" | "platform" };

/** Sends the saved mail with example data to an address. */
export function TestCard(props: {
  tested: Tested | null;
  result: SubmissionResult | null;
  sellerEmail: string;
}) {
  const [form, fields] = useForm<{ test_email: string }>({
    id: "test",
    lastResult: props.result,
    defaultValue: { test_email: props.sellerEmail },
  });
  return (
    <Card title="Enviar e-mail de teste" text="Usa o modelo e a chave como estão salvos.">
      <Form method="post" {...getFormProps(form)} className="flex flex-col gap-4">
        <FormErrors errors={form.errors} />
        {props.tested && <TestResult {...props.tested} />}
        <Field
          field={fields.test_email}
          label="E-mail para teste"
          type="email"
          autoComplete="email"
          required
        />
        <SubmitButton intent="test" pending="Enviando..." className="btn-outline self-start">
          Enviar teste
        </SubmitButton>
      </Form>
    </Card>
  );
}

function TestResult({ success, message, via }: Tested) {
  return (
    <Notice tone={success ? "success" : "error"}>
      <p>{message}</p>
      {success && (
        <p className="mt-1 text-base-content/80">
          {via === "seller" ? "Saiu pela sua conta do Resend." : "Saiu pela plataforma."}
        </p>
      )}
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
    </Notice>
  );
}
