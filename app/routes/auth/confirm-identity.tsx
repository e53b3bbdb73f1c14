import { getFormProps, useForm } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { GUARDED_CHANGES } from "#app/domain/identity/access/guarded-changes.ts";
import { samePasswordForm } from "#app/domain/identity/credentials-form.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { badForm, readForm, refusedForm } from "#app/web/forms.server.ts";
import { requireSellerEvenClosed } from "#app/web/session/guards.server.ts";
import { findHeldForm } from "#app/web/session/held-form.server.ts";
import { provider } from "#app/web/session/oauth.server.ts";
import { HELD, isRecent } from "#app/web/session/recent-sign-in.server.ts";
import { passwordAgain, startSession } from "#app/web/session/sign-in.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const asked = new URL(request.url).searchParams.get("returnTo");
  const [held, account] = await Promise.all([findHeldForm(request, seller.id), findAccount(seller.id)]);
  const returnTo = safeReturnTo(asked, held?.address ?? paths.dashboard());
  const recent = isRecent(seller);
  if (recent && !held) throw redirect(returnTo);
  return data({
    recent,
    returnTo,
    held: held && { id: held.id, address: held.address, field: HELD },
    change: held && (pick(GUARDED_CHANGES, held.change) ?? null),
    email: seller.email,
    hasPassword: account.hasPassword,
    provider: provider.configured && account.hasIdentity ? provider.label : null,
  });
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const submission = await readForm(request, samePasswordForm);
  if (submission.status !== "success") return badForm(submission);
  try {
    await passwordAgain(request, seller, submission.value.password);
  } catch (error) {
    return refusedForm(submission, error, request);
  }
  const held = await findHeldForm(request, seller.id);
  // A new session: whoever holds a copy of the old one's cookie does not come along.
  const headers = { "Set-Cookie": await startSession(request, seller.id) };
  // The browser posts this form once more, to the page that waits; it stands there for what was typed.
  if (held && submission.value.held === held.id) return redirect(held.address, { status: 307, headers });
  const asked = new URL(request.url).searchParams.get("returnTo");
  return redirect(safeReturnTo(asked, held?.address ?? paths.dashboard()), { headers });
}

export default function ConfirmIdentity() {
  const { recent, held, change, returnTo } = useLoaderData<typeof loader>();
  const why = held
    ? `Para ${change ?? "salvar"}, precisamos saber que é você. O que você digitou está guardado.`
    : "Faz mais de dez minutos que você entrou.";
  return (
    <AuthCard
      title="Confirme que é você"
      text={recent ? undefined : why}
      below={
        <Link to={returnTo} className="link inline-flex min-h-11 items-center">
          Voltar sem mudar nada
        </Link>
      }
    >
      {recent && held ? <Resume held={held} change={change} /> : <Prove />}
    </AuthCard>
  );
}

/** Back from the identity provider: what waits is posted by a press. */
function Resume(props: { held: { id: string; address: string; field: string }; change: string | null }) {
  return (
    <>
      <Notice tone="success" text="Confirmado: é você." />
      <Form method="post" action={props.held.address} reloadDocument>
        <input type="hidden" name={props.held.field} value={props.held.id} />
        <button type="submit" className="btn btn-primary h-auto min-h-11 w-full py-2.5">
          {`Continuar e ${props.change ?? "salvar"}`}
        </button>
      </Form>
    </>
  );
}

function Prove() {
  const { held, hasPassword, provider, email, returnTo } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ password: string }>({ id: "again", lastResult: reply ?? null });
  return (
    <>
      {provider && (
        <Form method="post" action={paths.oauthStart()} reloadDocument>
          <input type="hidden" name="returnTo" value={paths.confirmIdentity(returnTo)} />
          <button type="submit" className="btn h-auto min-h-11 w-full border-base-300 py-2.5 leading-tight">
            {provider}
          </button>
        </Form>
      )}
      {provider && hasPassword && (
        <div className="divider my-0 text-base-content/70 text-xs">ou com a senha</div>
      )}
      {hasPassword && (
        // The answer may ask the browser to post once more: its own work, not React's.
        <Form method="post" reloadDocument {...getFormProps(form)} className="flex flex-col gap-4">
          <FormErrors errors={form.errors} />
          {held && <input type="hidden" name={held.field} value={held.id} />}
          <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            field={fields.password}
            label={`Senha de ${email}`}
            autoComplete="current-password"
            required
          />
          <button type="submit" className="btn btn-primary min-h-11">
            Confirmar
          </button>
        </Form>
      )}
      {!hasPassword && !provider && (
        <Notice tone="info">
          Esta conta ainda não tem senha.{" "}
          <Link to={paths.forgotPassword()} className="link">
            Crie uma por e-mail
          </Link>{" "}
          e entre com ela.
        </Notice>
      )}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: "Confirme que é você · Checkintelli" }];
