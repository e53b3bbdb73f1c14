import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { previewErasure } from "#app/domain/erasure/preview-erasure.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { type Failure, retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { currentBuyer, endPortalCookie } from "#app/server/session/portal-cookie.server.ts";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { MyDataPage, UNFINISHED } from "#app/ui/buyer/purchases/my-data-page.tsx";

/** The data stored about a buyer: to download, or to erase. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) => {
    const buyer = await currentBuyer(request);
    return buyer ? show(buyer.email) : redirect(paths.purchases());
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request }) => {
    const form = await parseFormData(request);
    const buyer = await currentBuyer(request);
    if (!buyer) return redirect(paths.endedPurchases("apagar"), 303);
    try {
      if (form.get("understood") !== "yes")
        throw new Refusal("invalid", "Marque que você entendeu o que se perde.", "understood");
      await throttle("erase", request, buyer.email);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return show(buyer.email, toFailure(error, request));
    }
    await requestErasure(buyer.email);
    return renderDone(buyer.email);
  });
}

async function show(email: string, failure?: Failure): Promise<Response> {
  const preview = await previewErasure(email);
  const children = <MyDataPage {...{ email, preview }} problem={failure?.message ?? null} />;
  const page = await renderPage(BUYER_SHELL, { title: "Meus dados", children });
  return failure
    ? pageResponse(page, { status: failure.status, headers: retryHeaders(failure) })
    : pageResponse(page);
}

/** The browser's portal session ends with it. */
async function renderDone(email: string): Promise<Response> {
  const { unfinished } = await previewErasure(email);
  const waits = unfinished.length;
  const children = (
    <MessagePage
      icon="done"
      title="Pedido recebido"
      text="Os seus dados estão sendo apagados agora, e a confirmação vai por e-mail. Os links das compras deixam de abrir."
    >
      {waits > 0 && (
        <p className="small">
          {waits === 1 ? "Uma compra espera" : `${waits} compras esperam`} {UNFINISHED}: os dados dela
          {waits === 1 ? "" : "s"} saem depois, em no máximo 30 dias.
          {unfinished.some(({ isPaid }) => isPaid) &&
            " Até lá você entra em Minhas compras com o mesmo e-mail."}
        </p>
      )}
    </MessagePage>
  );
  return pageResponse(await renderPage(BUYER_SHELL, { title: "Pedido recebido", children }), {
    headers: { "Set-Cookie": await endPortalCookie() },
  });
}
