import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { paths } from "#app/kit/paths.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { findInterrupted, RESUME_FIELD } from "#app/server/session/interrupted-form.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";
import { navItemOf } from "#app/ui/seller/frame/nav.ts";

/** The form typed before the session ended, shown after signing in: submitted by a button and never automatically. */
export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const id = new URL(request.url).searchParams.get("form") ?? "";
  const held = await findInterrupted(request, seller.id, id);
  return data({
    hasFormId: id !== "",
    signOut: paths.logout(paths.resumeForm(id)),
    held: held && { ...held, id, field: RESUME_FIELD, page: pageName(held.address) },
    email: seller.email,
  });
}

/** The page of an address, as named in the dashboard's menu. */
function pageName(address: string): string {
  return navItemOf(address.split("?")[0]!)?.label ?? "seu painel";
}

export default function ResumeForm() {
  const { held, email, hasFormId, signOut } = useLoaderData<typeof loader>();
  // A separate window, opened over a page that waits.
  useEffect(() => {
    if (!hasFormId) window.close();
  }, [hasFormId]);
  if (!hasFormId)
    return (
      <AuthCard title="Você entrou">
        <p className="text-sm">Feche esta janela e continue na página onde estava.</p>
      </AuthCard>
    );
  if (!held)
    return (
      <AuthCard title="Nada guardado aqui">
        <p className="text-sm">
          Não há nada guardado para a conta {email} neste navegador. O que foi digitado em outra conta só
          aparece para ela, por uma hora.
        </p>
        <Link to={paths.dashboard()} className="btn btn-primary min-h-11">
          Ir para o painel
        </Link>
        <Form method="post" action={signOut} reloadDocument>
          <button type="submit" className="btn min-h-11 w-full border-base-300">
            Sair e entrar em outra conta
          </button>
        </Form>
      </AuthCard>
    );
  return (
    <AuthCard
      title="O que você digitou está guardado"
      text={`Você estava em ${held.page} quando a sessão terminou. Nada foi enviado ainda.`}
      below={
        <Link to={held.address} className="link inline-flex min-h-11 items-center">
          Voltar à página sem enviar
        </Link>
      }
    >
      {held.withoutFiles && (
        <Alert tone="warning" live={false}>
          Os arquivos escolhidos não ficam guardados: escolha-os de novo depois de enviar.
        </Alert>
      )}
      {held.typed.length === 0 && <p className="text-sm">As opções que você marcou.</p>}
      {held.typed.length > 0 && (
        <ul className="flex max-h-72 flex-col gap-2 overflow-y-auto rounded-box border border-base-300 p-4 text-sm">
          {held.typed.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <li key={at} className="whitespace-pre-wrap break-words">
              {text}
            </li>
          ))}
        </ul>
      )}
      <Form method="post" action={held.address} reloadDocument>
        <input type="hidden" name={held.field} value={held.id} />
        <button type="submit" className="btn btn-primary h-auto min-h-11 w-full py-2.5">
          Enviar o que digitei
        </button>
      </Form>
    </AuthCard>
  );
}

export const meta: MetaFunction = () => [{ title: "O que você digitou · Checkintelli" }];
