import { getFormProps, useForm } from "@conform-to/react";
import { useRef } from "react";
import { BODY_PLACEHOLDERS } from "#app/domain/mail/template/placeholders.ts";
import type { TemplatePreview } from "#app/domain/mail/template/preview-template.server.ts";
import { paths } from "#app/kit/paths.ts";
import { NoAccess } from "#app/routes/seller/settings/email/no-access.tsx";
import { PlaceholderList } from "#app/routes/seller/settings/email/placeholders.tsx";
import { PreviewFrame } from "#app/routes/seller/settings/email/preview-frame.tsx";
import { RemindersCard } from "#app/routes/seller/settings/email/reminders.tsx";
import { SimpleEditor } from "#app/routes/seller/settings/email/simple-editor.tsx";
import { TestCard } from "#app/routes/seller/settings/email/test.tsx";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { ChoiceField } from "#app/ui/seller/form/choice-field.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";

type Fields = {
  resend_api_key: string;
  sender_name: string;
  sender_email: string;
  subject: string;
  editor: "simple" | "html";
  simple_title: string;
  simple_text: string;
  simple_button: string;
  html_content: string;
};

type Props = {
  template: Fields;
  version: string;
  isDefault: boolean;
  /** `isExample`: the sender's name is another one in each mail. */
  leaving: { via: "seller" | "platform"; from: string; replyTo: string; isExample: boolean };
  reminders: { reminders: number[]; version: string };
  sellerEmail: string;
  preview: TemplatePreview;
  /** The submitted template has no link to the purchase. */
  noAccess: boolean;
  resultOf: (intent: string) => FormReply | null;
};

/** The purchase mail beside its preview, then the test and the reminders. */
export function TemplateTab(props: Props) {
  const { values, key, onSaved } = useRestoredForm("template", props);
  return (
    <MailAndPreview
      key={key}
      {...props}
      template={values.template}
      hasKey={props.template.resend_api_key !== ""}
      version={values.version}
      onSaved={onSaved}
    />
  );
}

/** `hasKey`: whether a key is saved now, whatever the form shows. */
function MailAndPreview(props: Props & { hasKey: boolean; onSaved: () => void }) {
  const { template, resultOf, version, onSaved } = props;
  const reply = resultOf("save") ?? resultOf("preview") ?? resultOf("test");
  const [form, fields] = useForm<Fields & { test_email: string }>({
    id: "template",
    lastResult: reply,
    defaultValue: template,
  });
  const formRef = useRef<HTMLFormElement | null>(null);
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      <RestoredForm
        {...getFormProps(form)}
        {...{ version, onSaved, reply, formRef }}
        intent="save"
        reload={paths.emailSettings()}
        className="group/mail flex min-w-0 flex-col gap-6"
      >
        <FormErrors
          errors={form.errors}
          fields={[
            [fields.resend_api_key, "Chave do Resend"],
            [fields.sender_name, "Nome do remetente"],
            [fields.sender_email, "E-mail do remetente"],
            [fields.subject, "Assunto"],
            [fields.simple_title, "Título"],
            [fields.simple_text, "Texto"],
            [fields.simple_button, "Texto do botão"],
            [fields.html_content, "Conteúdo (HTML)"],
            [fields.test_email, "E-mail para teste"],
          ]}
        />
        <Card title="E-mail de compra aprovada" text="Chega ao comprador assim que o pagamento é confirmado.">
          <div className="flex flex-col gap-4">
            <div className="grid gap-4 sm:grid-cols-2">
              <Field
                field={fields.sender_name}
                label="Nome do remetente"
                help="{product} vira o nome do produto."
                maxLength={100}
                required
              />
              <Field
                field={fields.sender_email}
                label="E-mail do remetente"
                type="email"
                optional
                placeholder="contato@seudominio.com.br"
                help="De um domínio verificado na aba Domínio."
              />
            </div>
            <Field
              field={fields.subject}
              label="Assunto"
              help="Aceita {product_name}, {customer_name} e {amount_formatted}."
              maxLength={200}
              required
            />
            <ChoiceField
              field={fields.editor}
              label="Conteúdo"
              choices={[
                ["simple", "Editor simples"],
                ["html", "HTML"],
              ]}
            />
            <SimpleEditor fields={fields} replacesHtml={template.editor === "html"} />
            <div className="group-has-[[name=editor][value=simple]:checked]/mail:hidden">
              <Textarea
                field={fields.html_content}
                label="Conteúdo (HTML)"
                rows={20}
                required
                spellCheck={false}
                className="[&_textarea]:font-mono [&_textarea]:text-xs [&_textarea]:leading-5"
              />
            </div>
            <PlaceholderList
              names={Object.keys(BODY_PLACEHOLDERS)}
              textareas={[fields.simple_text.id, fields.html_content.id]}
            />
          </div>
        </Card>
        <Account {...props} field={fields.resend_api_key} />
        {props.noAccess && <NoAccess />}
        <div className="flex flex-wrap gap-3">
          <SubmitButton intent="save" className="btn-primary lg:hidden">
            {props.noAccess ? "Salvar assim mesmo" : "Salvar"}
          </SubmitButton>
          <SubmitButton intent="preview" pending="Preparando..." className="btn-outline">
            Visualizar
          </SubmitButton>
        </div>
      </RestoredForm>
      <div className="flex min-w-0 flex-col gap-6">
        <PreviewFrame
          first={props.preview}
          form={formRef}
          simpleHtml={template.editor === "simple" ? template.html_content : null}
        />
        {!props.isDefault && <ResetTemplate />}
        <TestCard field={fields.test_email} form={form.id} sellerEmail={props.sellerEmail} />
        <RemindersCard {...props.reminders} result={resultOf("reminders")} />
      </div>
    </div>
  );
}

function Account(props: Props & { hasKey: boolean; field: Parameters<typeof Field>[0]["field"] }) {
  const { via, from, replyTo, isExample } = props.leaving;
  const example = isExample ? ", por exemplo" : "";
  return (
    <Card
      title="Conta do Resend"
      text="Com a sua chave e um domínio verificado, os e-mails saem do seu próprio endereço."
    >
      <div className="flex flex-col gap-4">
        <Alert tone={via === "seller" ? "success" : "info"} live={false}>
          {via === "seller" ? (
            <>
              Os e-mails saem pela sua conta{example}, de <strong>{from}</strong>.
            </>
          ) : (
            <>
              Os e-mails saem pela plataforma{example}, como <strong>{from}</strong>. As respostas vão para{" "}
              {replyTo}.
            </>
          )}
        </Alert>
        <Field
          field={props.field}
          label="Chave do Resend"
          optional
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="re_..."
          help="Guardada com criptografia e nunca mostrada de novo."
        />
        <Alert tone="warning" live={false}>
          Contas gratuitas do Resend sem domínio verificado só enviam para o e-mail verificado do dono. O
          plano gratuito é de até 10.000 e-mails por mês, sujeito aos{" "}
          <a href="https://resend.com/pricing" className="link" target="_blank" rel="noreferrer">
            limites atuais do Resend
          </a>
          .
        </Alert>
        {props.hasKey && (
          <div className="self-start">
            <ConfirmDialog
              trigger="Remover chave"
              title="Remover a chave do Resend?"
              text="Os e-mails passam a sair pela plataforma, e o domínio precisa ser conectado de novo com outra chave."
            >
              <SubmitButton intent="remove-key" form="template" pending="Removendo..." className="btn-error">
                Remover
              </SubmitButton>
            </ConfirmDialog>
          </div>
        )}
      </div>
    </Card>
  );
}

function ResetTemplate() {
  return (
    <div className="self-start">
      <ConfirmDialog
        trigger="Voltar ao modelo padrão"
        title="Voltar ao modelo padrão?"
        text="O seu remetente, assunto e conteúdo serão apagados e o modelo padrão volta a valer."
      >
        <Form method="post">
          <SubmitButton intent="reset" pending="Voltando..." className="btn-error">
            Apagar e voltar
          </SubmitButton>
        </Form>
      </ConfirmDialog>
    </div>
  );
}
