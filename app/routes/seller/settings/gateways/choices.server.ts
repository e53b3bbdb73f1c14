import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { saveRefundsOverpayments } from "#app/domain/refund/refunds-overpayments.server.ts";
import { saveDisputeAccess } from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";

type Posted = { seller: SignedIn; form: FormData; request: Request };

/** Keeps or suspends access while a payment is disputed. */
export async function postDisputes({ seller, form }: Posted) {
  const suspends = chosenValue(form, { suspend: true, keep: false });
  await saveDisputeAccess(seller.id, suspends);
  return redirectWithMessage(
    paths.settings("gateways"),
    suspends
      ? "O acesso fica suspenso enquanto um pagamento é contestado."
      : "O comprador mantém o acesso enquanto um pagamento é contestado.",
  );
}

/** Refunds overpayments automatically, or leaves them to the seller. */
export async function postOverpayments({ seller, form }: Posted) {
  const refunds = chosenValue(form, { refund: true, ask: false });
  await saveRefundsOverpayments(seller.id, refunds);
  return redirectWithMessage(
    paths.settings("gateways"),
    refunds
      ? "Os próximos pagamentos em dobro são devolvidos automaticamente."
      : "Os próximos pagamentos em dobro esperam por você.",
  );
}

/** The choice follows the colon of the button's intent. @throws Response 400 where there is no such choice */
function chosenValue(form: FormData, choices: Record<string, boolean>): boolean {
  const chosen = pick(choices, String(form.get("intent")).split(":")[1] ?? "");
  if (chosen === undefined) throw new Response("Ação desconhecida", { status: 400 });
  return chosen;
}
