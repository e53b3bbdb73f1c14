import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { listTaken, type TakenOffer } from "#app/domain/access/list-taken.server.ts";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { type Purchase, showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { answerOffer } from "#app/domain/offer/answer-offer.server.ts";
import { showOffer } from "#app/domain/offer/show-offer.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { findThankYou, type ThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { palette } from "#app/domain/storefront/palette.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { offerParts } from "#app/ui/buyer/offer-page.tsx";
import { ThankYouPage } from "#app/ui/buyer/thank-you-page.tsx";
import { VIDEO_FRAMES } from "#app/ui/buyer/video.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { forgetOrder } from "#app/web/session/order-cookie.server.ts";
import { placerOf } from "#app/web/session/placer.server.ts";

type Failed = { status: number; retryAfter?: number };

/** Without JavaScript an unpaid purchase looks again by itself, in seconds. */
const REFRESH = 15;

/** The page of one purchase: what was bought and, once paid, the way to it. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ params }) => {
    const purchase = await showPurchase(params.saleId ?? "");
    if (!purchase) throw notFound("A venda especificada não foi encontrada.");
    return show(purchase, null);
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const purchase = await showPurchase(params.saleId ?? "");
    if (!purchase) throw notFound("A venda especificada não foi encontrada.");
    try {
      const { payFor } = await answerOffer(purchase, await formOf(request), await placerOf(request));
      return redirect(payFor ? paths.pix(payFor) : paths.thankYou(purchase.saleId), 303);
    } catch (error) {
      if (!(error instanceof OrderRefusal)) throw error;
      return show(purchase, error.message, toFailure(error, request));
    }
  });
}

/** First the offers, if there are any left; then the page itself. A sale that is an offer itself brings none. */
async function show(
  purchase: Purchase,
  message: string | null,
  failure: Failed = { status: 200 },
): Promise<Response> {
  const thankYou = await findThankYou(purchase.sellerId);
  const offering = purchase.status === "completed" && purchase.parentSaleId === null;
  const shown = offering ? await showOffer(purchase) : null;
  const forgotten = purchase.status === "completed" ? await forgetOrder() : {};
  const init = { status: failure.status, headers: { ...forgotten, ...retryHeaders(failure) } };
  if (!shown) {
    const taken = offering ? await listTaken(purchase.saleId) : [];
    return respond(render(purchase, taken, thankYou, message), init);
  }
  const { css, scheme } = palette(thankYou.settings);
  const parts = offerParts({ ...shown, kind: "carousel", message }, scheme);
  return respond(renderPage(LOOK, parts, { css: [css], frames: VIDEO_FRAMES }), init);
}

function render(
  purchase: Purchase,
  taken: TakenOffer[],
  { settings, guaranteeDays, contact }: ThankYou,
  said: string | null,
) {
  const paid = purchase.status === "completed";
  const message = sanitizeHtml(paid ? settings.custom_message : "", "m");
  const { css, scheme } = palette(settings);
  const downloads = purchase.lines
    .filter((line) => paid && line.hasFile)
    .map((line) => ({ name: line.name, kind: line.kind, href: downloadUrl(purchase.saleId, line.id) }));
  const bought = purchase.lines
    .filter((line) => paid && line.items.length > 0)
    .map(({ id, name, items }) => ({
      name,
      items: items.map((item) => ({ ...item, href: paths.boughtItem(purchase.saleId, id, item.id) })),
    }));
  const continueTo = paid ? settings.redirect_url || purchase.redirectUrl : null;
  return renderPage(
    LOOK,
    {
      description: `Sua compra de ${purchase.productName}: situação, acesso e atendimento.`,
      title: paid ? settings.title || "Obrigado pela sua compra!" : `Compra de ${purchase.productName}`,
      scheme,
      ...(purchase.status === "pending" ? { refreshAfter: REFRESH } : {}),
      children: (
        <ThankYouPage
          {...{ purchase, taken, settings, guaranteeDays, contact, downloads, bought, continueTo }}
          messageHtml={message.html}
          alert={said}
        />
      ),
    },
    { css: [css, message.css] },
  );
}
