import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { KeyRound, LockKeyhole, type LucideIcon, MailQuestion, MonitorSmartphone } from "lucide-react";
import type { ReactNode } from "react";
import { listApiKeys } from "#app/domain/identity/access/api-keys.server.ts";
import { endOtherAccess } from "#app/domain/identity/access/end-other-access.server.ts";
import { listSessions } from "#app/domain/identity/access/list-sessions.server.ts";
import { cancelEmailChange } from "#app/domain/identity/email/cancel-email-change.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { describeDevice } from "#app/kit/device.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { EMAIL_CHANGE_CANCELLED } from "#app/routes/seller/settings/actions.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { readResumedForm, requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import { signInCookie } from "#app/server/session/session-cookie.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

/** All ways to sign in to the account, and the button that revokes them. */
export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const [account, keys, sessions] = await Promise.all([
    findAccount(seller.id),
    listApiKeys(seller.id),
    listSessions(seller.id),
  ]);
  return {
    email: seller.email,
    returnTo: returnToOf(request),
    hasPassword: account.hasPassword,
    // Without the identity provider the password is the only way to sign in, so it cannot be removed.
    password: account.hasIdentity && account.hasPassword,
    pendingEmail: account.pendingEmail,
    keys: keys.map(({ id, name, lastUsedAt }) => ({
      id,
      name,
      lastUsedAt: lastUsedAt && formatDateTime(lastUsedAt),
    })),
    sessions: sessions
      .filter(({ id }) => id !== seller.sessionId)
      .map(({ id, userAgent, ip, lastUsedAt }) => ({
        id,
        device: describeDevice(userAgent),
        ip,
        lastUsedAt: formatDateTime(lastUsedAt),
      })),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const posted = await readPostedForm(request);
  if (posted.get("intent") === "cancel-email-change") {
    await cancelEmailChange(seller.id);
    return redirectWithMessage(paths.access(returnToOf(request)), EMAIL_CHANGE_CANCELLED);
  }
  const form = await readResumedForm(request, seller, posted);
  await requireRecentSignIn({ seller, form, request }, "access");
  const token = await orRefusedPage(request, endOtherAccess(seller, requestOrigin(request, seller)));
  const { hasPassword } = await findAccount(seller.id);
  const answer = await redirectWithMessage(returnToOf(request), hasPassword ? ENDED_BUT_PASSWORD : ENDED);
  answer.headers.append("Set-Cookie", await signInCookie(token));
  return answer;
}

const ENDED = "Pronto: só esta sessão ficou aberta, e a conta abre só pelo provedor de identidade.";
const ENDED_BUT_PASSWORD =
  "Pronto: só esta sessão ficou aberta. A senha continua valendo: se alguém mais a conhece, troque-a.";

function returnToOf(request: Request): string {
  return safeReturnTo(new URL(request.url).searchParams.get("returnTo"), paths.settings("seguranca"));
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), { failed: "Erro interno. Tente novamente." });
}

export const shouldRevalidate = unlessUnreachable;

export default function Access() {
  const { email, returnTo, hasPassword, password, pendingEmail, keys, sessions } =
    useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  const others = password || pendingEmail !== null || keys.length > 0 || sessions.length > 0;
  // An account with both has its password in the list.
  const opensWith = hasPassword
    ? "abre com a sua senha: se alguém mais a conhece, troque-a."
    : "abre pelo provedor de identidade.";
  return (
    <Screen width="form" title="Acessos à sua conta">
      {reply && "failed" in reply && <Outcome about={reply} tone="error" text={String(reply.failed)} />}
      {others ? (
        <Card
          title="Além desta sessão"
          text={`Tudo isto também abre a conta de ${email}. Se algo não for seu, encerre tudo de uma vez.`}
        >
          <ul className="mb-5 divide-y divide-base-300">
            {password && (
              <AccessRow
                icon={LockKeyhole}
                title="Senha"
                text="Quem a conhece entra com o seu e-mail e ela."
              />
            )}
            {keys.map((key) => (
              <AccessRow
                key={key.id}
                icon={KeyRound}
                title={`Chave de API: ${key.name}`}
                text={key.lastUsedAt ? `usada em ${key.lastUsedAt}` : "nunca usada"}
              />
            ))}
            {sessions.map((session) => (
              <AccessRow
                key={session.id}
                icon={MonitorSmartphone}
                title={`Sessão: ${session.device}`}
                text={`${session.ip ? `IP ${session.ip} · ` : ""}usada em ${session.lastUsedAt}`}
              />
            ))}
            {pendingEmail && (
              <AccessRow
                icon={MailQuestion}
                title={`Troca de e-mail para ${pendingEmail}`}
                text="Espera a confirmação desse endereço."
              >
                <Form method="post">
                  <SubmitButton
                    intent="cancel-email-change"
                    pending="Cancelando..."
                    className="btn-sm border-base-300"
                  >
                    Cancelar a troca
                  </SubmitButton>
                </Form>
              </AccessRow>
            )}
          </ul>
          <div className="flex flex-wrap gap-3">
            <Form method="post">
              <SubmitButton intent="end-access" pending="Encerrando..." className="btn-error">
                Encerrar tudo isso
              </SubmitButton>
            </Form>
            <Link to={returnTo} className="btn min-h-11">
              Está tudo certo, continuar
            </Link>
          </div>
        </Card>
      ) : (
        <Card
          title="Só esta sessão"
          text={`Nenhuma outra sessão, chave ou troca de e-mail está aberta. A conta de ${email} ${opensWith}`}
        >
          <Link to={returnTo} className="btn min-h-11">
            Continuar
          </Link>
        </Card>
      )}
    </Screen>
  );
}

function AccessRow(props: { icon: LucideIcon; title: string; text: ReactNode; children?: ReactNode }) {
  const Icon = props.icon;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <Icon className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere font-medium text-sm">{props.title}</p>
        <p className="text-base-content/70 text-xs">{props.text}</p>
      </div>
      {props.children}
    </li>
  );
}

export const meta: MetaFunction = () => [{ title: "Acessos à sua conta · Checkintelli" }];
