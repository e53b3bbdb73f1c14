import type { ActionFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import { resendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { sendRequestedLink } from "#app/server/forms/send-requested-link.server.ts";
import { refuseCrossSitePage } from "#app/server/session/refuse-cross-site.server.ts";
import { orFormError } from "#app/ui/seller/form/unreachable.ts";
import { LinkRequest } from "#app/ui/seller/frame/link-request.tsx";

export async function action({ request }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  return sendRequestedLink(request, "confirm", resendConfirmation);
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro interno. Tente novamente.");
}

export default function ResendConfirmation() {
  const reply = useActionData<typeof action>();
  return (
    <LinkRequest
      id="resend"
      title="Confirmar e-mail"
      text="Enviamos outra vez o link que confirma a sua conta."
      reply={reply}
      sent={(email) => (
        <>Se {email} tem uma conta esperando confirmação, o link está a caminho. Veja também o spam.</>
      )}
    />
  );
}

export const meta: MetaFunction = () => [{ title: "Confirmar e-mail · Checkintelli" }];
