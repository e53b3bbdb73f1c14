import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { IdCard, KeyRound, LockKeyhole, MailQuestion, MonitorSmartphone } from "lucide-react";
import { listApiKeys } from "#app/domain/identity/access/api-keys.server.ts";
import { type Ending, endOtherAccess } from "#app/domain/identity/access/end-other-access.server.ts";
import { listSessions } from "#app/domain/identity/access/list-sessions.server.ts";
import { cancelEmailChange } from "#app/domain/identity/email/cancel-email-change.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { describeDevice } from "#app/kit/device.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { AccessRow } from "#app/routes/seller/settings/access-row.tsx";
import { EMAIL_CHANGE_CANCELLED } from "#app/routes/seller/settings/actions.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { identityProvider } from "#app/server/session/oauth.server.ts";
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
    hasProvider: identityProvider.configured,
    // One alone is the only way to sign in, so it cannot be ended.
    hasBoth: identityProvider.configured && account.hasIdentity && account.hasPassword,
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
  const ending = pick(ENDINGS, String(form.get("intent"))) ?? ENDINGS["end-access"];
  const token = await orRefusedPage(request, endOtherAccess(seller, ending, requestOrigin(request, seller)));
  const { hasPassword } = await findAccount(seller.id);
  const returnTo = returnToOf(request);
  // What stays is listed there.
  const next = ending.keys ? paths.access(returnTo) : returnTo;
  const answer = await redirectWithMessage(next, describeEnded(hasPassword));
  answer.headers.append("Set-Cookie", await signInCookie(token));
  return answer;
}

/** What each button ends. */
const ENDINGS = {
  "end-access": { keeps: "identity", keys: false },
  "end-access-but-password": { keeps: "password", keys: false },
  "end-identity": { keeps: "password", keys: true },
  "end-password": { keeps: "identity", keys: true },
} satisfies Record<string, Ending>;

function describeEnded(hasPassword: boolean): string {
  if (hasPassword)
    return "Pronto: só esta sessão ficou aberta. A senha continua valendo: se alguém mais a conhece, troque-a.";
  return identityProvider.configured
    ? "Pronto: só esta sessão ficou aberta, e a conta abre só pelo provedor de identidade."
    : "Pronto: só esta sessão ficou aberta. Para entrar de novo, crie uma senha por e-mail.";
}

function returnToOf(request: Request): string {
  return safeReturnTo(new URL(request.url).searchParams.get("returnTo"), paths.settings("seguranca"));
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), { failed: "Erro interno. Tente novamente." });
}

export const shouldRevalidate = unlessUnreachable;

export default function Access() {
  const { email, returnTo, hasPassword, hasProvider, hasBoth, pendingEmail, keys, sessions } =
    useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  const others = hasBoth || pendingEmail !== null || keys.length > 0 || sessions.length > 0;
  const opensWithout = hasProvider
    ? "abre pelo provedor de identidade."
    : "abre com uma senha nova, pedida por e-mail.";
  // An account with both has them in the list.
  const opensWith = hasPassword ? "abre com a sua senha: se alguém mais a conhece, troque-a." : opensWithout;
  return (
    <Screen width="form" title="Acessos à sua conta">
      {reply && "failed" in reply && <Outcome about={reply} tone="error" text={String(reply.failed)} />}
      {others ? (
        <Card
          title="Além desta sessão"
          text={`Tudo isto também abre a conta de ${email}. Se algo não for seu, encerre tudo de uma vez${hasBoth ? " e fique com a entrada que só você usa: o provedor ou a senha" : ""}.`}
        >
          <ul className="mb-5 divide-y divide-base-300">
            {hasBoth && (
              <>
                <AccessRow
                  icon={LockKeyhole}
                  title="Senha"
                  text="Quem a conhece entra com o seu e-mail e ela. Encerrada, as outras sessões também terminam."
                  end={{ intent: "end-password", label: "Encerrar a senha" }}
                />
                <AccessRow
                  icon={IdCard}
                  title="Provedor de identidade"
                  text="Quem entra por ele não precisa da senha. Encerrado, as outras sessões também terminam. A conta que tiver este mesmo e-mail no provedor pode se ligar de novo, com um aviso a você: se ela não for sua, recupere-a no provedor."
                  end={{ intent: "end-identity", label: "Encerrar a entrada pelo provedor" }}
                />
              </>
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
                end={{ intent: "cancel-email-change", label: "Cancelar a troca", pending: "Cancelando..." }}
              />
            )}
          </ul>
          <div className="flex flex-wrap gap-3">
            <Form method="post">
              <SubmitButton intent="end-access" pending="Encerrando..." className="btn-error">
                {hasBoth ? "Encerrar tudo isso, menos o provedor" : "Encerrar tudo isso"}
              </SubmitButton>
            </Form>
            {hasBoth && (
              <Form method="post">
                <SubmitButton intent="end-access-but-password" pending="Encerrando..." className="btn-error">
                  Encerrar tudo isso, menos a senha
                </SubmitButton>
              </Form>
            )}
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

export const meta: MetaFunction = () => [{ title: "Acessos à sua conta · Checkintelli" }];
