import type { ActionFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { sendRequestedLink } from "#app/server/forms/send-requested-link.server.ts";
import { refuseCrossSitePage } from "#app/server/session/refuse-cross-site.server.ts";
import { orFormError } from "#app/ui/seller/form/unreachable.ts";
import { LinkRequest } from "#app/ui/seller/frame/link-request.tsx";

export async function action({ request }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  return sendRequestedLink(request, "reset", requestPasswordReset);
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro interno. Tente novamente.");
}

export default function ForgotPassword() {
  const reply = useActionData<typeof action>();
  return (
    <LinkRequest
      id="forgot"
      title="Esqueci minha senha"
      text="Digite o e-mail da conta e enviamos um link para criar uma nova senha."
      reply={reply}
      sent={(email) => (
        <>Se {email} tem uma conta, o link está a caminho. Ele vale por 1 hora. Veja também o spam.</>
      )}
    />
  );
}

export const meta: MetaFunction = () => [{ title: "Esqueci minha senha · Checkintelli" }];
