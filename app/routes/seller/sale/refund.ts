import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { answerQuestion } from "#app/domain/refund/asked/answer-question.server.ts";
import { dismissRefund } from "#app/domain/refund/dismiss-refund.server.ts";
import { endsSale } from "#app/domain/refund/ends-sale.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import {
  recordNotReturned,
  recordRefund,
  recordSurplusRefund,
} from "#app/domain/refund/record-reversal.server.ts";
import { type RefundRequest, requestRefund } from "#app/domain/refund/request-refund.server.ts";
import { checkSale } from "#app/domain/settlement/check-sale.server.ts";
import { checkWords } from "#app/domain/settlement/check-words.ts";
import { formatMoney, parseMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { DESK_LOOK } from "#app/ui/buyer/look.tsx";
import { orUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { withoutScreen } from "#app/web/buyer/page.server.tsx";
import { postedForm } from "#app/web/forms.server.ts";
import { orRefuse } from "#app/web/pages.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

/** Which payment is asked about once more: the sale's screen then stands open at that question. */
const ASKED = "confirm";
const NOT_CONFIRMED = "Falta a sua confirmação. Nada foi pedido ao provedor.";

/** The refund panel's forms: they go back to the sale, which says how it stands. */
export function loader(args: LoaderFunctionArgs) {
  return withoutScreen(DESK_LOOK, args, async ({ request, params }) => {
    await requireSeller(request);
    return redirect(paths.sale(params.saleId ?? ""));
  });
}

export function action(args: ActionFunctionArgs) {
  return withoutScreen(DESK_LOOK, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const form = await postedForm(request);
    const saleId = params.saleId ?? "";
    const chargeId = String(form.get("charge_id") ?? "");
    const query = new URLSearchParams(String(form.get("query") ?? ""));
    query.delete(ASKED);
    const back = paths.sale(saleId, query.toString());
    const isConfirmed = form.get("confirm") === "sale";
    const askAgain = () => {
      query.set(ASKED, chargeId);
      return redirectSaying(`${paths.sale(saleId, query.toString())}#reembolso`, NOT_CONFIRMED, "error");
    };
    switch (form.get("intent")) {
      case "refund-part": {
        const typed = String(form.get("amount") ?? "");
        const cents = parseMoney(typed);
        if (!cents) return redirectSaying(`${back}#reembolso`, wrongAmount(typed), "error");
        if (!isConfirmed && (await orRefuse(request, endsSale(seller.id, saleId, { chargeId, cents }))))
          return askAgain();
        const asked = await orRefuse(request, requestRefund(seller.id, chargeId, cents).catch(asConflict));
        if (asked instanceof Refusal) return redirectSaying(`${back}#reembolso`, asked.message, "error");
        return told(asked, back, `Reembolso de ${formatMoney(cents)}`);
      }
      case "refund":
        if (!isConfirmed && (await orRefuse(request, endsSale(seller.id, saleId, { chargeId, cents: null }))))
          return askAgain();
        return told(await orRefuse(request, requestRefund(seller.id, chargeId)), back, "Reembolso");
      case "check": {
        const check = await orRefuse(request, checkSale(seller.id, saleId));
        return redirectSaying(back, checkWords(check));
      }
      case "record-refund":
        await orRefuse(request, recordRefund(seller.id, saleId));
        return redirectSaying(back, "Venda marcada como reembolsada.");
      case "record-surplus":
        await orRefuse(request, recordSurplusRefund(seller.id, chargeId));
        return redirectSaying(back, "Pagamento marcado como reembolsado.");
      case "not-returned":
        await orRefuse(request, recordNotReturned(seller.id, saleId));
        return redirectSaying(back, "Aviso encerrado. A venda continua como está.");
      case "dismiss":
        await orRefuse(request, dismissRefund(seller.id, chargeId));
        return redirectSaying(back, "Aviso encerrado. A venda continua como está.");
      case "dispute":
        await orRefuse(request, recordDispute(seller.id, saleId, String(form.get("note") ?? "")));
        return redirectSaying(back, "Contestação registrada. A venda espera a decisão do banco.");
      case "dispute-won":
        await orRefuse(request, recordDecision(seller.id, saleId, "won"));
        return redirectSaying(back, "Contestação recusada: a venda voltou a valer.");
      case "dispute-lost":
        await orRefuse(request, recordDecision(seller.id, saleId, "lost"));
        return redirectSaying(back, "Chargeback registrado: o acesso do comprador terminou.");
      case "grant": {
        const granted = answerQuestion(seller.id, saleId, { answer: "granted" });
        const refused = await orRefuse(request, granted.catch(asConflict));
        if (refused instanceof Refusal) return redirectSaying(`${back}#pedido`, refused.message, "error");
        const said = refused.byHand
          ? "Pedido aceito. Devolva pelo banco e marque a venda como reembolsada."
          : "Pedido aceito. A resposta do provedor está em “Pedido de reembolso”.";
        return redirectSaying(back, said);
      }
      default:
        throw new Response("Ação desconhecida", { status: 400 });
    }
  });
}

/** Where the network fails the sale's page stays as it is and says so. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), {
    failed: "Não foi possível falar com o servidor. Nada foi pedido: confira a internet e tente de novo.",
  });
}

/** What became of a request. What did not work is told by the panel itself, for as long as it stands. */
async function told({ status }: RefundRequest, back: string, what: string): Promise<Response> {
  if (status === "refused" || status === "unconfirmed") return redirect(`${back}#reembolso`);
  if (status === "done") return redirectSaying(back, "O provedor confirmou o reembolso anterior.");
  const how = status === "accepted" ? "aceito pelo provedor" : "pedido, ainda sem resposta do provedor";
  return redirectSaying(back, `${what} ${how}. A venda muda quando a devolução for confirmada.`);
}

function wrongAmount(typed: string): string {
  return `“${typed.trim().slice(0, 40)}” não é um valor em reais, como 19,90. Nada foi pedido ao provedor.`;
}

/** What stands in a payment's way is said beside its form; whose it is not hears that there is none. */
function asConflict(error: unknown): Refusal {
  if (error instanceof Refusal && (error.kind === "conflict" || error.kind === "invalid")) return error;
  throw error;
}
