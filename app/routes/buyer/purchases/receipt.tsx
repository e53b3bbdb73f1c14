import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { type Resent, resendToBuyer } from "#app/domain/access/resend-access.server.ts";
import { findBought } from "#app/domain/buyer/list-purchases.server.ts";
import { askForRefund } from "#app/domain/refund/asked/ask-for-refund.server.ts";
import { findWayBack } from "#app/domain/refund/asked/find-way-back.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { RECEIPT_PRINT, ReceiptPage, type Said } from "#app/ui/buyer/purchases/receipt-page.tsx";
import type { AskedAgain } from "#app/ui/buyer/purchases/way-back.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { type Failure, retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { currentBuyer } from "#app/web/session/buyer-cookie.server.ts";

/** A purchase's receipt, how its mails are doing, the access once more, and the way back. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const buyer = await currentBuyer(request);
    return buyer ? show(buyer.email, params.saleId, null) : redirect(paths.purchases());
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const buyer = await currentBuyer(request);
    if (!buyer) return redirect(paths.purchases(), 303);
    const { saleId } = await findBought(buyer.email, params.saleId ?? "");
    const form = await formOf(request);
    if (form.get("intent") === "money-back") return askBack(request, buyer.email, saleId, form);
    try {
      await throttle("resend", request, saleId);
      const { recipient, mail } = await resendToBuyer(buyer.email, saleId);
      return await show(buyer.email, saleId, { isGood: true, text: AGAIN[mail](recipient) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = toFailure(error, request);
      return show(buyer.email, saleId, { isGood: false, text: failure.message }, failure);
    }
  });
}

const AGAIN: Record<Resent["mail"], (recipient: string) => string> = {
  queued: (recipient) => `Estamos enviando o acesso para ${recipient}.`,
  waiting: (recipient) => `O e-mail que você pediu há pouco ainda está a caminho de ${recipient}.`,
  sent: (recipient) =>
    `O acesso saiu para ${recipient} há menos de um minuto: veja também o spam. Se não chegar, peça de novo daqui a pouco.`,
};

const ASKED = {
  right: "Recebemos o seu pedido de reembolso. A confirmação vai por e-mail.",
  question: "Enviamos o seu pedido a quem vendeu. A confirmação vai por e-mail.",
};

/** What became of it stands on the page from now on; asking once more changes nothing. */
async function askBack(request: Request, email: string, saleId: string, form: FormData): Promise<Response> {
  const reason = String(form.get("reason") ?? "");
  try {
    await throttle("ask-refund", request, saleId);
    return await show(email, saleId, {
      isGood: true,
      text: ASKED[await askForRefund(email, saleId, reason)],
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = toFailure(error, request);
    const again = { reason, error: error.field === "reason" ? error.message : null };
    const said = again.error ? null : { isGood: false, text: failure.message };
    return show(email, saleId, said, failure, again);
  }
}

async function show(
  email: string,
  saleId: string | undefined,
  said: Said | null,
  failure?: Failure,
  again: AskedAgain | null = null,
): Promise<Response> {
  const bought = await findBought(email, saleId ?? "");
  const way = await findWayBack(bought);
  const page = renderPage(
    LOOK,
    {
      title: `Recibo de ${bought.lines[0]?.name ?? "sua compra"}`,
      children: <ReceiptPage {...{ bought, email, said, way, again }} />,
    },
    { css: [RECEIPT_PRINT] },
  );
  return failure ? respond(page, { status: failure.status, headers: retryHeaders(failure) }) : respond(page);
}
