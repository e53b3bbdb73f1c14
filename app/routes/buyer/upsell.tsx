import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { refuseOldLink } from "#app/domain/access/may-open.server.ts";
import { type Purchase, showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { answerOffer } from "#app/domain/offer/answer-offer.server.ts";
import { showOffer } from "#app/domain/offer/show-offer.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { colorsAfter, palette } from "#app/domain/storefront/palette.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { offerParts } from "#app/ui/buyer/offer-page.tsx";
import { VIDEO_FRAMES } from "#app/ui/buyer/video.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { placerOf } from "#app/web/session/placer.server.ts";
import { proofOf } from "#app/web/session/proof.server.ts";

/** Seconds before the page without an offer goes on. */
const GO_ON_AFTER = 5;

/** Offers for who has just paid for a product: `/upsell/{productId}?sale={saleId}`. One at a time, each with its own deadline. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) =>
    show(await find(request, params.productId), null),
  );
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const purchase = await find(request, params.productId);
    if (!purchase) throw notFound("A venda especificada não foi encontrada.");
    const { pathname, search } = new URL(request.url);
    try {
      const { payFor } = await answerOffer(purchase, await formOf(request), await placerOf(request));
      return redirect(payFor ? paths.pix(payFor) : pathname + search, 303);
    } catch (error) {
      if (!(error instanceof OrderRefusal)) throw error;
      return show(purchase, error.message, toFailure(error, request));
    }
  });
}

async function find(request: Request, productId = ""): Promise<Purchase | null> {
  const purchase = await showPurchase(new URL(request.url).searchParams.get("sale") ?? "");
  // What was bought by taking an offer brings no offers of its own.
  const fits = purchase?.status === "completed" && purchase.parentSaleId === null;
  if (purchase) await refuseOldLink({ ...purchase, id: purchase.saleId }, await proofOf(request));
  return fits && String(purchase.productId) === productId ? purchase : null;
}

async function show(
  purchase: Purchase | null,
  message: string | null,
  failure: { status: number; retryAfter?: number } = { status: 200 },
): Promise<Response> {
  const init = { status: failure.status, headers: retryHeaders(failure) };
  const shown = purchase && (await showOffer(purchase));
  if (!purchase) return respond(nothingBought(), { status: 404 });
  if (!shown) return respond(await nothingToOffer(purchase, message), init);
  const { css, scheme, store } = await lookOf(purchase);
  const parts = offerParts({ ...shown, kind: "upsell", message, store }, scheme);
  return respond(renderPage(LOOK, parts, { css: [css], frames: VIDEO_FRAMES }), init);
}

async function lookOf({ sellerId }: Purchase) {
  const { settings, checkout, store } = await findThankYou(sellerId);
  return { ...palette(colorsAfter(settings, checkout)), store };
}

async function nothingToOffer(purchase: Purchase, message: string | null) {
  const next = paths.thankYou(purchase.saleId);
  const { css, scheme } = await lookOf(purchase);
  const parts = {
    title: "Obrigado pela sua compra!",
    scheme,
    goOn: { to: next, after: GO_ON_AFTER },
    children: (
      <MessagePage
        icon="done"
        title="Obrigado pela sua compra!"
        text={[message, "Você será redirecionado em breve..."].filter(Boolean).join(" ")}
      >
        <a className="btn btn-main" href={next}>
          Ver minha compra
        </a>
        <redirect-countdown data-href={next} data-seconds={GO_ON_AFTER} class="small" hidden>
          <span role="timer">
            Em <b>{GO_ON_AFTER}</b> segundos.
          </span>{" "}
          <button type="button" className="btn btn-plain">
            Ficar aqui
          </button>
        </redirect-countdown>
      </MessagePage>
    ),
  };
  return renderPage(LOOK, parts, { css: [css] });
}

/** Whoever bought nothing is thanked for nothing, and led nowhere. */
function nothingBought() {
  return renderPage(LOOK, {
    title: "Nenhuma compra encontrada",
    children: (
      <MessagePage
        icon="missing"
        title="Nenhuma compra encontrada"
        text="Estas ofertas são para quem acabou de comprar, e este endereço não leva a uma compra aprovada. Se você já comprou, enviamos o link de acesso para o seu e-mail."
      >
        <a className="btn btn-main" href={paths.findPurchase()}>
          Encontrar minha compra
        </a>
      </MessagePage>
    ),
  });
}
