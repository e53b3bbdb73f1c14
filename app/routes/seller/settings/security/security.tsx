import { getFormProps, useForm } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { MonitorSmartphone } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { ApiKeys, type ApiKeyView, type CreatedKey } from "#app/routes/seller/settings/security/keys.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { NewPasswordFields, PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Session = { id: string; current: boolean; device: string; ip: string | null; lastUsedAt: string };

type Props = {
  hasPassword: boolean;
  keys: ApiKeyView[];
  createdKey: CreatedKey | null;
  sessions: Session[];
  keyResult: FormReply | null;
  passwordResult: FormReply | null;
};

export function SecurityTab(props: Props) {
  return (
    <div className="flex flex-col gap-6">
      <ApiKeys keys={props.keys} created={props.createdKey} lastResult={props.keyResult} />
      <Sessions sessions={props.sessions} />
      <Password hasPassword={props.hasPassword} lastResult={props.passwordResult} />
      <Card
        title="Encerrar conta"
        text="Baixe uma cópia dos seus dados, ou tire a loja do ar e encerre a conta."
      >
        <Link to={paths.closing()} className="btn min-h-11">
          Meus dados e encerramento
        </Link>
      </Card>
    </div>
  );
}

function Sessions({ sessions }: { sessions: Session[] }) {
  return (
    <Card title="Sessões ativas" text="Onde a sua conta está aberta. Encerre o que não reconhecer.">
      <ul className="divide-y divide-base-300">
        {sessions.map((session) => (
          <li key={session.id} className="flex items-center gap-3 py-3">
            <MonitorSmartphone className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
            <div className="min-w-0 flex-1">
              <p className="font-medium text-sm">{session.device}</p>
              <p className="text-base-content/70 text-xs">
                {session.ip ? `IP ${session.ip} · ` : ""}usada em {session.lastUsedAt}
              </p>
            </div>
            {session.current ? (
              <Badge tone="success">Esta sessão</Badge>
            ) : (
              <Form method="post">
                <input type="hidden" name="id" value={session.id} />
                <SubmitButton
                  intent="end-session"
                  item={session.id}
                  pending="Encerrando..."
                  className="btn-ghost"
                >
                  Encerrar
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <Link to={paths.access()} className="link mt-2 inline-flex min-h-11 items-center text-sm">
        Ver e encerrar tudo o que abre a conta
      </Link>
    </Card>
  );
}

type Passwords = { currentPassword: string; password: string; confirmPassword: string };

function Password(props: { hasPassword: boolean; lastResult: FormReply | null }) {
  const [form, fields] = useForm<Passwords>({ id: "password", lastResult: props.lastResult });
  return (
    <Card
      title={props.hasPassword ? "Alterar senha" : "Criar senha"}
      text="As sessões em outros dispositivos serão encerradas e uma troca de e-mail ainda não confirmada será cancelada."
    >
      <RestoredForm
        {...getFormProps(form)}
        intent="password"
        reply={props.lastResult}
        className="flex flex-col gap-4"
      >
        <FormErrors errors={form.errors} />
        {props.hasPassword && (
          <PasswordField
            field={fields.currentPassword}
            label="Senha atual"
            autoComplete="current-password"
            required
          />
        )}
        <NewPasswordFields password={fields.password} confirmPassword={fields.confirmPassword} />
        <SubmitButton intent="password" className="self-start">
          {props.hasPassword ? "Alterar senha" : "Criar senha"}
        </SubmitButton>
      </RestoredForm>
    </Card>
  );
}
