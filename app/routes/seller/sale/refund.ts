import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { recordNotCharged } from "#app/domain/charge/record-not-charged.server.ts";
import { dismissRefund } from "#app/domain/refund/dismiss-refund.server.ts";
import { endsSale } from "#app/domain/refund/ends-sale.server.ts";
import { type EvidenceOutcome, sendEvidence } from "#app/domain/refund/evidence/send-evidence.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import {
  recordNotReturned,
  recordOverpaymentRefund,
  recordRefund,
} from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { answerRefundRequest } from "#app/domain/refund/request/answer-refund-request.server.ts";
import type { RefundOutcome } from "#app/domain/refund/send-refund.server.ts";
import { checkSale } from "#app/domain/settlement/check-sale.server.ts";
import { saleCheckText } from "#app/domain/settlement/sale-check-text.ts";
import { formatMoney, parseMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { orUnreachable } from "#app/ui/seller/form/unreachable.ts";

/** The payment whose refund needs a second confirmation, which the sale's screen then shows open. */
const CONFIRM_PARAMETER = "confirm";
const NOT_CONFIRMED = "Falta a sua confirmação. Nada foi pedido ao provedor.";

const EVIDENCE_TEXTS: Record<EvidenceOutcome, string> = {
  sent: "Comprovantes enviados ao provedor. A decisão do banco aparece aqui sozinha.",
  unconfirmed: "O provedor não respondeu. Estamos conferindo se os comprovantes chegaram: veja em um minuto.",
};

/** The refund panel's forms: they redirect back to the sale, which shows the result. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request, params }) => {
    await requireSeller(request);
    return redirect(paths.sale(params.saleId ?? ""));
  });
}

export function action(args: ActionFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const form = await readPostedForm(request);
    const saleId = params.saleId ?? "";
    const chargeId = String(form.get("charge_id") ?? "");
    const query = new URLSearchParams(String(form.get("query") ?? ""));
    query.delete(CONFIRM_PARAMETER);
    const back = paths.sale(saleId, query.toString());
    const isConfirmed = form.get("confirm") === "sale";
    // A shop may have to refund a whole launch, so each payment counts for itself.
    const countCall = (about: string) => throttle("outside-call", request, `${seller.id}/${about}`);
    const redirectToConfirm = () => {
      query.set(CONFIRM_PARAMETER, chargeId);
      return redirectWithMessage(`${paths.sale(saleId, query.toString())}#reembolso`, NOT_CONFIRMED, "error");
    };
    switch (form.get("intent")) {
      case "refund-part": {
        const typed = String(form.get("amount") ?? "");
        const cents = parseMoney(typed);
        if (!cents) return redirectWithMessage(`${back}#reembolso`, wrongAmount(typed), "error");
        if (!isConfirmed && (await orRefusedPage(request, endsSale(seller.id, saleId, { chargeId, cents }))))
          return redirectToConfirm();
        await countCall(chargeId);
        const requested = await orRefusedPage(
          request,
          refundCharge(seller.id, chargeId, cents, { seenLeftCents: readCents(form.get("left")) }).catch(
            asConflict,
          ),
        );
        if (requested instanceof Refusal)
          return redirectWithMessage(`${back}#reembolso`, requested.message, "error");
        return redirectWithOutcome(requested, back, `Reembolso de ${formatMoney(cents)}`);
      }
      case "refund":
        if (
          !isConfirmed &&
          (await orRefusedPage(request, endsSale(seller.id, saleId, { chargeId, cents: null })))
        )
          return redirectToConfirm();
        await countCall(chargeId);
        return redirectWithOutcome(
          await orRefusedPage(request, refundCharge(seller.id, chargeId)),
          back,
          "Reembolso",
        );
      case "check": {
        await countCall(saleId);
        const check = await orRefusedPage(request, checkSale(seller.id, saleId));
        return redirectWithMessage(back, saleCheckText(check));
      }
      case "record-refund":
        await orRefusedPage(request, recordRefund(seller.id, saleId));
        return redirectWithMessage(back, "Venda marcada como reembolsada.");
      case "record-surplus":
        await orRefusedPage(request, recordOverpaymentRefund(seller.id, chargeId));
        return redirectWithMessage(back, "Pagamento marcado como reembolsado.");
      case "not-returned":
        await orRefusedPage(request, recordNotReturned(seller.id, saleId));
        return redirectWithMessage(back, "Aviso encerrado. A venda continua como está.");
      case "not-charged":
        await orRefusedPage(request, recordNotCharged(seller.id, chargeId));
        return redirectWithMessage(back, "Anotado: o cartão não foi cobrado.");
      case "dismiss":
        await orRefusedPage(request, dismissRefund(seller.id, chargeId));
        return redirectWithMessage(back, "Aviso encerrado. A venda continua como está.");
      case "dispute":
        await orRefusedPage(request, recordDispute(seller.id, saleId, String(form.get("note") ?? "")));
        return redirectWithMessage(back, "Contestação registrada. A venda espera a decisão do banco.");
      case "dispute-won":
        await orRefusedPage(request, recordDecision(seller.id, saleId, "won"));
        return redirectWithMessage(back, "Contestação recusada: a venda voltou a valer.");
      case "dispute-lost":
        await orRefusedPage(request, recordDecision(seller.id, saleId, "lost"));
        return redirectWithMessage(back, "Chargeback registrado: o acesso do comprador terminou.");
      case "send-evidence": {
        await throttle("outside-call", request, seller.id);
        const sent = await orRefusedPage(request, sendEvidence(seller.id, saleId).catch(asConflict));
        if (sent instanceof Refusal) return redirectWithMessage(`${back}#contestacao`, sent.message, "error");
        return redirectWithMessage(back, EVIDENCE_TEXTS[sent]);
      }
      case "grant": {
        const granted = answerRefundRequest(seller.id, saleId, { answer: "granted" });
        const refused = await orRefusedPage(request, granted.catch(asConflict));
        if (refused instanceof Refusal)
          return redirectWithMessage(`${back}#pedido`, refused.message, "error");
        const message = refused.isManual
          ? "Pedido aceito. Devolva pelo banco e marque a venda como reembolsada."
          : "Pedido aceito. A resposta do provedor está em “Pedido de reembolso”.";
        return redirectWithMessage(back, message);
      }
      default:
        throw new Response("Ação desconhecida", { status: 400 });
    }
  });
}

/** If the network fails, the sale's page stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), {
    failed:
      "Não foi possível falar com o servidor, e o pedido pode ter chegado. Confira a internet e recarregue a página antes de tentar de novo.",
  });
}

/** The result of a request. Errors are shown by the panel itself, as long as they apply. */
async function redirectWithOutcome(
  { status }: RefundOutcome,
  back: string,
  subject: string,
): Promise<Response> {
  if (status === "refused" || status === "unconfirmed") return redirect(`${back}#reembolso`);
  if (status === "done") return redirectWithMessage(back, "O provedor confirmou o reembolso anterior.");
  const outcome = status === "accepted" ? "aceito pelo provedor" : "pedido, ainda sem resposta do provedor";
  return redirectWithMessage(
    back,
    `${subject} ${outcome}. A devolução aparece na venda assim que for confirmada.`,
  );
}

/** What was left of the payment when its form was shown; null where the form does not say. */
function readCents(sent: FormDataEntryValue | null): number | null {
  return /^\d{1,10}$/.test(String(sent)) ? Number(sent) : null;
}

function wrongAmount(typed: string): string {
  return `“${typed.trim().slice(0, 40)}” não é um valor em reais, como 19,90. Nada foi pedido ao provedor.`;
}

/** A payment's conflict is shown beside its form; for another seller's sale the response is a 404. */
function asConflict(error: unknown): Refusal {
  if (error instanceof Refusal && (error.kind === "conflict" || error.kind === "invalid")) return error;
  throw error;
}
