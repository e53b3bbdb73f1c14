import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { accessMails } from "#app/domain/access/access-mails.server.ts";
import { listTaken, type TakenOffer } from "#app/domain/access/list-taken.server.ts";
import { isPlacedHere, refuseOldLink } from "#app/domain/access/may-open.server.ts";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { type Purchase, showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { hasAccess } from "#app/domain/access/why-no-access.ts";
import { answerOffer } from "#app/domain/offer/answer-offer.server.ts";
import { showOffer } from "#app/domain/offer/show-offer.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { findThankYou, type ThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { colorsAfter, palette } from "#app/domain/storefront/palette.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { AccessEndedPage } from "#app/ui/buyer/access-ended-page.tsx";
import type { AccessMail } from "#app/ui/buyer/email/access-mail.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { offerParts } from "#app/ui/buyer/offer-page.tsx";
import { ThankYouPage } from "#app/ui/buyer/thank-you-page.tsx";
import { VIDEO_FRAMES } from "#app/ui/buyer/video.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { forgetOrder } from "#app/web/session/order-cookie.server.ts";
import { placerOf } from "#app/web/session/placer.server.ts";
import { proofOf } from "#app/web/session/proof.server.ts";

type Failed = { status: number; retryAfter?: number };

/** Without JavaScript an unpaid purchase looks again by itself, in seconds. */
const REFRESH = 15;

/** The page of one purchase: what was bought and, once paid, the way to it. */
export async function loader(args: LoaderFunctionArgs) {
  return opened(args, (purchase, who) => show(purchase, who, null));
}

export async function action(args: ActionFunctionArgs) {
  return opened(args, async (purchase, who, request) => {
    try {
      const { payFor } = await answerOffer(purchase, await formOf(request), await placerOf(request));
      return redirect(payFor ? paths.pix(payFor) : paths.thankYou(purchase.saleId, who.key), 303);
    } catch (error) {
      if (!(error instanceof OrderRefusal)) throw error;
      return show(purchase, who, error.message, toFailure(error, request));
    }
  });
}

/** Who looks: `isPlacer`, in the browser that ordered; `key` of the mailed link they came by, empty where none. */
type Who = { isPlacer: boolean; key: string };

/** The purchase, unless the link went to an e-mail that was corrected since: that says so, and where the access is. */
function opened(
  args: LoaderFunctionArgs | ActionFunctionArgs,
  answer: (purchase: Purchase, who: Who, request: Request) => Promise<Response>,
): Promise<Response> {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const purchase = await showPurchase(params.saleId ?? "");
    if (!purchase) throw notFound("A venda especificada não foi encontrada.");
    const sale = { ...purchase, id: purchase.saleId };
    const proof = await proofOf(request);
    try {
      await refuseOldLink(sale, proof);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return oldLink(error, request);
    }
    return answer(purchase, { isPlacer: isPlacedHere(sale, proof.placed), key: proof.key }, request);
  });
}

function oldLink(refusal: Refusal, request: Request): Response {
  const { status, message } = toFailure(refusal, request);
  const title = "Este link não abre mais";
  const ways = { label: "Ir para Minhas compras", href: paths.purchases() };
  const children = <AccessEndedPage title={title} text={message} {...ways} />;
  return respond(renderPage(LOOK, { title, children }), { status });
}

/** First the offers, if there are any left; then the page itself. A sale that is an offer itself brings none. */
async function show(
  purchase: Purchase,
  who: Who,
  message: string | null,
  failure: Failed = { status: 200 },
): Promise<Response> {
  const thankYou = await findThankYou(purchase.sellerId);
  const offering = purchase.status === "completed" && purchase.parentSaleId === null;
  const shown = offering ? await showOffer(purchase) : null;
  const forgotten = hasAccess(purchase) ? await forgetOrder() : {};
  const init = { status: failure.status, headers: { ...forgotten, ...retryHeaders(failure) } };
  if (!shown) {
    const taken = offering ? await listTaken(purchase.saleId) : [];
    const mail = await mailOf(purchase, who);
    return respond(render(purchase, taken, thankYou, message, { who, mail }), init);
  }
  const { css, scheme } = palette(colorsAfter(thankYou.settings, thankYou.checkout));
  const parts = offerParts({ ...shown, kind: "carousel", message, store: thankYou.store }, scheme);
  return respond(renderPage(LOOK, parts, { css: [css], frames: VIDEO_FRAMES }), init);
}

/** How the mail with the access is doing. Its address is written out only where it was typed. */
async function mailOf(purchase: Purchase, { isPlacer }: Who): Promise<AccessMail | null> {
  const { saleId, customerEmail: to } = purchase;
  if (!to || !hasAccess(purchase)) return null;
  const sent = (await accessMails([saleId], to)).get(saleId);
  return { to: isPlacer ? to : maskMail(to), state: sent?.state ?? null };
}

function render(
  purchase: Purchase,
  taken: TakenOffer[],
  { settings, checkout, guaranteeDays, contact, store }: ThankYou,
  said: string | null,
  { who: { key, isPlacer }, mail }: { who: Who; mail: AccessMail | null },
) {
  const paid = hasAccess(purchase);
  const message = sanitizeHtml(paid ? settings.custom_message : "", "m");
  const { css, scheme } = palette(colorsAfter(settings, checkout));
  const hrefOf = (lineId: string) =>
    downloadUrl(purchase.saleId, lineId, Date.now(), purchase.emailCorrectedAt);
  const downloads = purchase.lines
    .filter((line) => paid && line.hasFile)
    .map((line) => ({ name: line.name, kind: line.kind, href: hrefOf(line.id) }));
  const bought = purchase.lines
    .filter((line) => paid && line.items.length > 0)
    .map(({ id, name, items }) => ({
      name,
      items: items.map((item) => ({ ...item, href: paths.boughtItem(purchase.saleId, id, item.id, key) })),
    }));
  const addMail = isPlacer ? paths.correctEmail(purchase.saleId) : null;
  const keep =
    paid && !purchase.hasMail && !purchase.isGivenUp
      ? { url: env.APP_URL + paths.thankYou(purchase.saleId), addMail }
      : null;
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
          {...{ purchase, taken, settings, contact, store, downloads, bought, continueTo, mail, keep }}
          guaranteeDays={purchase.guaranteeDays ?? guaranteeDays}
          messageHtml={message.html}
          alert={said}
        />
      ),
    },
    { css: [css, message.css] },
  );
}
