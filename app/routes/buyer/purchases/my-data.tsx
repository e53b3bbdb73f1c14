import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { askForErasure } from "#app/domain/erasure/ask-for-erasure.server.ts";
import { foreseeErasure } from "#app/domain/erasure/foresee-erasure.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { MyDataPage } from "#app/ui/buyer/purchases/my-data-page.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { type Failure, retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { currentBuyer, leavePlace } from "#app/web/session/buyer-cookie.server.ts";

/** What is kept of a buyer: taken along, or emptied. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) => {
    const buyer = await currentBuyer(request);
    return buyer ? show(buyer.email) : redirect(paths.purchases());
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request }) => {
    const form = await formOf(request);
    const buyer = await currentBuyer(request);
    if (!buyer) return redirect(paths.purchases(), 303);
    try {
      if (form.get("understood") !== "yes")
        throw new Refusal("invalid", "Marque que você entendeu o que se perde.", "understood");
      await throttle("erase", request, buyer.email);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return show(buyer.email, toFailure(error, request));
    }
    await askForErasure(buyer.email);
    return sayDone(buyer.email);
  });
}

async function show(email: string, failure?: Failure): Promise<Response> {
  const foreseen = await foreseeErasure(email);
  const children = <MyDataPage {...{ email, foreseen }} problem={failure?.message ?? null} />;
  const page = renderPage(LOOK, { title: "Meus dados", children });
  return failure ? respond(page, { status: failure.status, headers: retryHeaders(failure) }) : respond(page);
}

/** The browser leaves the place with it. */
async function sayDone(email: string): Promise<Response> {
  const { unfinished } = await foreseeErasure(email);
  const waits = unfinished.length;
  const children = (
    <MessagePage
      icon="done"
      title="Pedido recebido"
      text="Os seus dados estão sendo apagados agora, e a confirmação vai por e-mail. Os links das compras deixam de abrir."
    >
      {waits > 0 && (
        <p className="small">
          {waits === 1 ? "Uma compra espera" : `${waits} compras esperam`} um pagamento, um reembolso ou uma
          resposta: os dados dela{waits === 1 ? "" : "s"} saem depois, em no máximo 30 dias.
          {unfinished.some(({ isPaid }) => isPaid) &&
            " Até lá você entra em Minhas compras com o mesmo e-mail."}
        </p>
      )}
    </MessagePage>
  );
  return respond(renderPage(LOOK, { title: "Pedido recebido", children }), {
    headers: { "Set-Cookie": await leavePlace() },
  });
}
