import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { type Purchase, showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { payTerms } from "#app/domain/checkout/pay-terms.server.ts";
import { answerOffer } from "#app/domain/offer/answer-offer.server.ts";
import { nextOffer } from "#app/domain/offer/next-offer.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { countPaidSales } from "#app/domain/storefront/count-paid-sales.server.ts";
import { findThankYou, type ThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { palette } from "#app/domain/storefront/palette.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { OfferPage } from "#app/ui/buyer/offer-page.tsx";
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
  const offer = offering ? await nextOffer(purchase) : null;
  const forgotten = purchase.status === "completed" ? await forgetOrder() : {};
  const init = { status: failure.status, headers: { ...forgotten, ...retryHeaders(failure) } };
  if (!offer) return respond(render(purchase, thankYou, message), init);
  const { css, scheme } = palette(thankYou.settings);
  const view = { kind: "carousel" as const, productName: purchase.productName, offer, message };
  const { notice } = await payTerms(purchase.sellerId);
  const more = { paidSales: await countPaidSales(purchase.productId), notice };
  const page = renderPage(
    LOOK,
    {
      title: offer.name,
      description: `Uma oferta para quem comprou ${purchase.productName}.`,
      scheme,
      children: <OfferPage {...view} {...more} />,
    },
    { css: [css], frames: VIDEO_FRAMES },
  );
  return respond(page, init);
}

function render(purchase: Purchase, { settings, guaranteeDays, contact }: ThankYou, said: string | null) {
  const paid = purchase.status === "completed";
  const message = sanitizeHtml(paid ? settings.custom_message : "", "m");
  const { css, scheme } = palette(settings);
  const downloads = purchase.lines
    .filter((line) => paid && line.hasFile)
    .map((line) => ({ name: line.name, kind: line.kind, href: downloadUrl(purchase.saleId, line.id) }));
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
          {...{ purchase, settings, guaranteeDays, contact, downloads, continueTo }}
          messageHtml={message.html}
          alert={said}
        />
      ),
    },
    { css: [css, message.css] },
  );
}
