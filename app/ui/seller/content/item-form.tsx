import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { LONGEST_TEXT } from "#app/domain/content/limits.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";

type Fields = { name: string; url?: string; html?: string };

/** The form of a link or a text, new or known, and of a known file's name. */
export function ItemForm(props: {
  kind: "file" | "link" | "text";
  intent: string;
  id?: string;
  defaults?: Fields;
  lastResult: SubmissionResult | undefined;
  submit: string;
}) {
  const [form, fields] = useForm<Fields>({
    id: `${props.kind}-${props.id ?? "novo"}`,
    ...(props.lastResult ? { lastResult: props.lastResult } : {}),
    ...(props.defaults ? { defaultValue: props.defaults } : {}),
  });
  return (
    <Form method="post" {...getFormProps(form)} className="flex flex-col gap-4">
      <FormErrors errors={form.errors} />
      {props.id && <input type="hidden" name="id" value={props.id} />}
      <input type="hidden" name="kind" value={props.kind} />
      <Field
        field={fields.name}
        label="Nome para quem compra"
        placeholder={props.kind === "link" ? "Ex.: Grupo no WhatsApp" : "Ex.: Comece por aqui"}
        maxLength={150}
        required
      />
      {props.kind === "link" && (
        <Field
          field={fields.url}
          label="Endereço"
          type="url"
          placeholder="https://"
          maxLength={2048}
          required
        />
      )}
      {props.kind === "text" && (
        <Textarea
          field={fields.html}
          label="Texto"
          help="Pode ter formatação em HTML: títulos, listas, negrito, links e imagens. O que executa algo é retirado."
          rows={8}
          maxLength={LONGEST_TEXT}
          required
        />
      )}
      <SubmitButton intent={props.intent} item={props.id} className="btn-primary self-start">
        {props.submit}
      </SubmitButton>
    </Form>
  );
}
