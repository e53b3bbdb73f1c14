import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { KeyRound } from "lucide-react";
import { SCOPE_LABELS, SCOPES, type Scope } from "#app/domain/identity/access/scopes.ts";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field, FieldError } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

export type ApiKeyView = {
  id: string;
  name: string;
  preview: string;
  scopes: Scope[];
  createdAt: string;
  lastUsedAt: string | null;
};
/** A key just created: it is not shown again. */
export type CreatedKey = { key: string; name: string };

/** The existing keys, and a new one, shown once. */
export function ApiKeys(props: {
  keys: ApiKeyView[];
  created: CreatedKey | null;
  lastResult: FormReply | null;
}) {
  // A new key clears the form for the next one.
  const [form, fields] = useForm<{ name: string; scopes: Scope[] }>({
    id: `key-${props.keys.length}`,
    lastResult: props.lastResult,
    defaultValue: { scopes: ["read"] },
  });
  return (
    <Card
      title="API Keys"
      text="Abrem a API da sua conta para outros sistemas: envie no cabeçalho Authorization: Bearer. Nenhuma muda chaves de pagamento nem a conta."
      action={
        <Link
          reloadDocument
          to={paths.developers()}
          className="link link-primary inline-flex min-h-11 items-center text-sm"
        >
          Como usar a API
        </Link>
      }
    >
      {props.created && (
        <Alert tone="success" className="mb-4">
          <p>
            Copie a chave <strong>{props.created.name}</strong> agora: ela não será mostrada de novo.
          </p>
          <div className="mt-2 flex flex-wrap items-center gap-2">
            <code className="min-w-0 select-all break-all rounded-field bg-base-200 px-2 py-1.5">
              {props.created.key}
            </code>
            <CopyButton text={props.created.key} label="Copiar chave" done="Chave copiada!" />
          </div>
        </Alert>
      )}
      {props.keys.length > 0 ? (
        <ul className="mb-5 divide-y divide-base-300">
          {props.keys.map((key) => (
            <li key={key.id} className="flex items-center gap-3 py-3">
              <KeyRound className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
              <div className="min-w-0 flex-1">
                <p className="break-words font-medium text-sm">{key.name}</p>
                <p className="text-base-content/70 text-xs">
                  <code>{key.preview}…</code> · criada em {key.createdAt} ·{" "}
                  {key.lastUsedAt ? `usada em ${key.lastUsedAt}` : "nunca usada"}
                </p>
                <p className="mt-1 flex flex-wrap gap-1">
                  {key.scopes.map((scope) => (
                    <Badge key={scope} tone="neutral">
                      {SCOPE_NAMES[scope]}
                    </Badge>
                  ))}
                </p>
              </div>
              <ConfirmDialog
                trigger="Revogar"
                triggerLabel={`Revogar ${key.name}`}
                title={`Revogar a chave ${key.name}?`}
                text="Os sistemas que usam esta chave perdem o acesso na hora. Isso não pode ser desfeito."
              >
                <Form method="post">
                  <input type="hidden" name="id" value={key.id} />
                  <SubmitButton
                    intent="revoke-key"
                    item={key.id}
                    pending="Revogando..."
                    className="btn-error"
                  >
                    Revogar chave
                  </SubmitButton>
                </Form>
              </ConfirmDialog>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mb-5 text-base-content/70 text-sm">Nenhuma chave ainda.</p>
      )}
      <RestoredForm
        key={form.id}
        {...getFormProps(form)}
        intent="create-key"
        reply={props.lastResult}
        className="flex flex-col gap-3"
      >
        <FormErrors errors={form.errors} />
        <div className="flex flex-wrap items-start gap-3">
          <Field
            field={fields.name}
            label="Nome da chave"
            placeholder="Ex.: planilha de vendas"
            maxLength={60}
            className="min-w-56 flex-1"
            required
          />
        </div>
        <ScopeChoice field={fields.scopes} />
        <SubmitButton intent="create-key" pending="Gerando..." className="self-start">
          Gerar Nova API Key
        </SubmitButton>
      </RestoredForm>
    </Card>
  );
}

const SCOPE_NAMES: Record<Scope, string> = {
  read: "Ler",
  sales: "Vendas",
  settings: "Configurações",
  webhooks: "Webhooks",
};

/** The key's scopes: preferably as few as it needs. */
function ScopeChoice({ field }: { field: FieldMetadata<Scope[]> }) {
  const chosen = [field.initialValue ?? []].flat();
  return (
    <fieldset id={field.id} tabIndex={-1} aria-describedby={field.errors ? field.errorId : undefined}>
      <legend className="mb-1 font-medium text-sm">O que a chave pode fazer</legend>
      <p className="text-base-content/70 text-xs">Sem nada marcado, ela só lê.</p>
      {SCOPES.map((scope) => (
        <label key={scope} className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5 text-sm">
          <input
            type="checkbox"
            name={field.name}
            value={scope}
            defaultChecked={chosen.includes(scope)}
            className="checkbox checkbox-primary checkbox-sm shrink-0"
          />
          {SCOPE_LABELS[scope]}
        </label>
      ))}
      <FieldError field={field} />
    </fieldset>
  );
}
