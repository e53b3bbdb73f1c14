import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { saveDisputeAccess } from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import { paths } from "#app/kit/paths.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";

type Posted = { seller: SignedIn; form: FormData; request: Request };

const CHOICES = { suspend: true, keep: false } as const;

/** Keeps or suspends access while a payment is disputed; the choice follows the colon. */
export async function postDisputes({ seller, form }: Posted) {
  const wanted = String(form.get("intent")).split(":")[1];
  if (wanted !== "suspend" && wanted !== "keep") throw new Response("Ação desconhecida", { status: 400 });
  const suspends = CHOICES[wanted];
  await saveDisputeAccess(seller.id, suspends);
  return redirectWithMessage(
    paths.settings("gateways"),
    suspends
      ? "O acesso fica suspenso enquanto um pagamento é contestado."
      : "O comprador mantém o acesso enquanto um pagamento é contestado.",
  );
}
