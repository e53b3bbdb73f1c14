import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { type ResentAccess, resendToBuyer } from "#app/domain/access/resend-access.server.ts";
import { findPurchaseReceipt } from "#app/domain/buyer/list-purchases.server.ts";
import { findRefundRequestState } from "#app/domain/refund/request/find-refund-request-state.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { type Failure, retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { readFlash, redirectWithMessage } from "#app/server/session/flash.server.ts";
import { currentBuyer } from "#app/server/session/portal-cookie.server.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { RECEIPT_PRINT, type ReceiptMessage, ReceiptPage } from "#app/ui/buyer/purchases/receipt-page.tsx";
import type { RefundFormReply } from "#app/ui/buyer/purchases/refund-request.tsx";

/** A purchase's receipt, the state of its mails, a button to mail the access again, and its refund request. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const buyer = await currentBuyer(request);
    if (!buyer) return redirect(paths.purchases());
    const { flash, headers } = await readFlash(request);
    const page = await show(
      buyer.email,
      params.saleId,
      flash && { isGood: flash.tone === "success", text: flash.text },
    );
    for (const [name, value] of new Headers(headers)) page.headers.append(name, value);
    return page;
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const buyer = await currentBuyer(request);
    if (!buyer) return redirect(paths.endedPurchases(), 303);
    const { saleId } = await findPurchaseReceipt(buyer.email, params.saleId ?? "");
    const form = await parseFormData(request);
    if (form.get("intent") === "money-back") return postRefundRequest(request, buyer.email, saleId, form);
    try {
      await throttle("resend", request, saleId);
      const { recipient, mail } = await resendToBuyer(buyer.email, saleId);
      return await show(buyer.email, saleId, { isGood: true, text: RESENT_TEXTS[mail](recipient) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = toFailure(error, request);
      return show(buyer.email, saleId, { isGood: false, text: failure.message }, failure);
    }
  });
}

const RESENT_TEXTS: Record<ResentAccess["mail"], (recipient: string) => string> = {
  queued: (recipient) => `Estamos enviando o acesso para ${recipient}.`,
  waiting: (recipient) => `O e-mail que você pediu há pouco ainda está a caminho de ${recipient}.`,
  sent: (recipient) =>
    `O acesso saiu para ${recipient} há menos de um minuto: veja também o spam. Se não chegar, peça de novo daqui a pouco.`,
};

const REQUEST_TEXTS = {
  right: "Recebemos o seu pedido de reembolso. A confirmação vai por e-mail.",
  question: "Enviamos o seu pedido a quem vendeu. A confirmação vai por e-mail.",
};

/** Its result is shown on the page from now on; a repeated request changes nothing. */
async function postRefundRequest(
  request: Request,
  email: string,
  saleId: string,
  form: FormData,
): Promise<Response> {
  const reason = String(form.get("reason") ?? "");
  try {
    await throttle("ask-refund", request, saleId);
    const text = REQUEST_TEXTS[await requestRefund(email, saleId, reason)];
    // A reload sends nothing again: the seller may have answered meanwhile.
    return await redirectWithMessage(paths.receipt(saleId), text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = toFailure(error, request);
    const formReply = { reason, error: error.field === "reason" ? error.message : null };
    const message = formReply.error ? null : { isGood: false, text: failure.message };
    return show(email, saleId, message, failure, formReply);
  }
}

async function show(
  email: string,
  saleId: string | undefined,
  message: ReceiptMessage | null,
  failure?: Failure,
  formReply: RefundFormReply | null = null,
): Promise<Response> {
  const bought = await findPurchaseReceipt(email, saleId ?? "");
  const refundRequest = bought.amountCents === 0 ? null : await findRefundRequestState(bought);
  const page = await renderPage(
    BUYER_SHELL,
    {
      title: `Recibo de ${bought.lines[0]?.name ?? "sua compra"}`,
      children: <ReceiptPage {...{ bought, email, message, refundRequest, formReply }} />,
    },
    { css: [RECEIPT_PRINT] },
  );
  return failure
    ? pageResponse(page, { status: failure.status, headers: retryHeaders(failure) })
    : pageResponse(page);
}
