import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { resendToBuyer } from "#app/domain/access/resend-access.server.ts";
import { findBought } from "#app/domain/buyer/list-purchases.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { ReceiptPage, type Said } from "#app/ui/buyer/purchases/receipt-page.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { type Failure, retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { currentBuyer } from "#app/web/session/buyer-cookie.server.ts";

/** A purchase's receipt, how its mails are doing, and the access once more. */
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
    try {
      await throttle("resend", request, saleId);
      const { recipient } = await resendToBuyer(buyer.email, saleId);
      return await show(buyer.email, saleId, { isGood: true, text: `Enviamos o acesso para ${recipient}.` });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = toFailure(error, request);
      return show(buyer.email, saleId, { isGood: false, text: failure.message }, failure);
    }
  });
}

async function show(
  email: string,
  saleId: string | undefined,
  said: Said | null,
  failure?: Failure,
): Promise<Response> {
  const bought = await findBought(email, saleId ?? "");
  const page = renderPage(LOOK, {
    title: `Recibo de ${bought.lines[0]?.name ?? "sua compra"}`,
    children: <ReceiptPage {...{ bought, email, said }} />,
  });
  return failure ? respond(page, { status: failure.status, headers: retryHeaders(failure) }) : respond(page);
}
