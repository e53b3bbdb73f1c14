import type { ActionFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import { resendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { orFormSays } from "#app/ui/seller/form/unreachable.ts";
import { LinkRequest } from "#app/ui/seller/frame/link-request.tsx";
import { mailLink } from "#app/web/mail-link.server.ts";
import { refuseCrossSitePage } from "#app/web/session/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  return mailLink(request, "confirm", resendConfirmation);
}

/** Where the network fails the form stays as it is and says so. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormSays(serverAction<typeof action>(), "Erro interno. Tente novamente.");
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
