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
import { reauthenticationForm } from "#app/domain/identity/credentials-form.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { invalidForm, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { readFlash } from "#app/server/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { findHeldForm } from "#app/server/session/held-form.server.ts";
import { identityProvider } from "#app/server/session/oauth.server.ts";
import { HELD_FIELD, notStored } from "#app/server/session/recent-sign-in.server.ts";
import { confirmPassword, startSession } from "#app/server/session/sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const requested = new URL(request.url).searchParams.get("returnTo");
  const [held, account] = await Promise.all([findHeldForm(request, seller.id), findAccount(seller.id)]);
  const returnTo = safeReturnTo(requested, held?.address ?? paths.dashboard());
  const recent = seller.isRecent;
  if (recent && !held) throw redirect(returnTo);
  const { flash, headers } = await readFlash(request);
  return data(
    {
      recent,
      returnTo,
      flash,
      held: held && { id: held.id, address: held.address, field: HELD_FIELD },
      change: held && (pick(GUARDED_CHANGES, held.change) ?? null),
      email: seller.email,
      hasPassword: account.hasPassword,
      provider: identityProvider.configured && account.hasIdentity ? identityProvider.label : null,
    },
    { headers },
  );
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const submission = await readForm(request, reauthenticationForm);
  if (submission.status !== "success") return invalidForm(submission);
  const { held: id, password } = submission.value;
  const held = id === undefined ? null : await findHeldForm(request, seller.id, id);
  if (id !== undefined && !held) throw notStored(request);
  let headers: { "Set-Cookie": string };
  try {
    const proven = await confirmPassword(request, seller, password);
    // A new session, so that a stolen copy of the old cookie does not gain the proof of identity.
    headers = { "Set-Cookie": await startSession(request, proven) };
  } catch (error) {
    return refusedForm(submission, error, request);
  }
  // The browser posts this form again to the page with the held form, which replaces it with what was typed.
  if (held) return redirect(held.address, { status: 307, headers });
  const requested = new URL(request.url).searchParams.get("returnTo");
  return redirect(safeReturnTo(requested, paths.dashboard()), { headers });
}

export default function ConfirmIdentity() {
  const { recent, flash, held, change, returnTo } = useLoaderData<typeof loader>();
  const explanation = held
    ? `Para ${change ?? "salvar"}, precisamos saber que é você. O que você digitou está guardado, mas é apagado se você criar uma senha nova por e-mail.`
    : "Faz mais de dez minutos que você entrou.";
  return (
    <AuthCard
      title="Confirme que é você"
      text={recent ? undefined : explanation}
      below={
        <Link to={returnTo} className="link inline-flex min-h-11 items-center">
          Voltar sem mudar nada
        </Link>
      }
    >
      {flash && <Alert tone={flash.tone} text={flash.text} />}
      {recent && held ? <Resume held={held} change={change} /> : <Prove />}
    </AuthCard>
  );
}

/** After returning from the identity provider: a button posts the held form. */
function Resume(props: { held: { id: string; address: string; field: string }; change: string | null }) {
  return (
    <>
      <Alert tone="success" text="Confirmado: é você." />
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
        // The response may make the browser post again, which React cannot follow.
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
        <Alert tone="info">
          Esta conta ainda não tem senha.{" "}
          <Link to={paths.forgotPassword()} className="link">
            Crie uma por e-mail
          </Link>{" "}
          e entre com ela.
          {held && " O que você digitou é apagado com isso, e será preciso digitar de novo."}
        </Alert>
      )}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: "Confirme que é você · Checkintelli" }];
