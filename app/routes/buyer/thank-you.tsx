import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findAccessMails } from "#app/domain/access/find-buyer-mails.server.ts";
import { findOrderKeys, type PurchaseKeys } from "#app/domain/access/find-order-keys.server.ts";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { type AcceptedUpsell, listAcceptedUpsells } from "#app/domain/access/list-accepted-upsells.server.ts";
import { isMailAtHand } from "#app/domain/access/mail-state.ts";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { isMailReader, isPlacedInBrowser, refuseOldLink } from "#app/domain/access/refuse-old-link.server.ts";
import { type Purchase, showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { findOpenRefundRequest } from "#app/domain/refund/request/find-open-refund-requests.server.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { buildPalette, hasOwnColors, thankYouColors } from "#app/domain/storefront/build-palette.ts";
import { findThankYou, type ThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import type { ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import { answerUpsell } from "#app/domain/upsell/answer-upsell.server.ts";
import { isToBeRefunded } from "#app/domain/upsell/is-to-be-refunded.ts";
import { showUpsell } from "#app/domain/upsell/show-upsell.server.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { readBuyerContext } from "#app/server/session/buyer-context.server.ts";
import { clearOrder } from "#app/server/session/order-cookie.server.ts";
import { readProof } from "#app/server/session/proof.server.ts";
import { AccessEndedPage } from "#app/ui/buyer/access-ended-page.tsx";
import type { AccessMail } from "#app/ui/buyer/email/access-mail.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { isAwaited } from "#app/ui/buyer/payment/pending-text.ts";
import { ThankYouPage, type ThankYouView } from "#app/ui/buyer/thank-you-page.tsx";
import { upsellParts } from "#app/ui/buyer/upsell-page.tsx";
import { VIDEO_FRAMES } from "#app/ui/buyer/video.tsx";

type Failed = { status: number; retryAfter?: number };

/** Seconds until the page of an unpaid purchase reloads without JavaScript. */
const REFRESH = 15;

/** The page of one purchase: what was bought and, once paid, the access to it. */
export async function loader(args: LoaderFunctionArgs) {
  return opened(args, (purchase, visitor, request) => show(request, purchase, visitor, null));
}

export async function action(args: ActionFunctionArgs) {
  return opened(args, async (purchase, visitor, request) => {
    try {
      const { saleIdToPay: payFor } = await answerUpsell(
        purchase,
        await parseFormData(request),
        await readBuyerContext(request),
      );
      if (!payFor) return redirect(paths.thankYou(purchase.saleId, visitor.key), 303);
      return redirect(paths.pix(payFor, (await findOrderKeys(purchase, visitor.key)).get(payFor)), 303);
    } catch (error) {
      if (!(error instanceof OrderRefusal)) throw error;
      return show(request, purchase, visitor, error.message, toFailure(error, request));
    }
  });
}

/**
 * `isOrderingBrowser`: the browser that ordered; `key` of the mailed link that was opened, empty for none; `isMailReader`:
 * whether the mails of the purchase reach the visitor.
 */
type Visitor = { isOrderingBrowser: boolean; key: string; isMailReader: () => Promise<boolean> };

/** The purchase, unless the link was sent to an e-mail corrected since: then a page says where the access is. */
function opened(
  args: LoaderFunctionArgs | ActionFunctionArgs,
  answer: (purchase: Purchase, visitor: Visitor, request: Request) => Promise<Response>,
): Promise<Response> {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const purchase = await showPurchase(params.saleId ?? "");
    if (!purchase) throw notFound("A venda especificada não foi encontrada.");
    const sale = { ...purchase, id: purchase.saleId };
    const proof = await readProof(request);
    try {
      await refuseOldLink(sale, proof);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return oldLink(error, request);
    }
    const visitor = {
      isOrderingBrowser: isPlacedInBrowser(sale, proof.placedSaleIds),
      key: proof.key,
      isMailReader: () => isMailReader(sale, proof),
    };
    return answer(purchase, visitor, request);
  });
}

async function oldLink(refusal: Refusal, request: Request): Promise<Response> {
  const { status, message } = toFailure(refusal, request);
  const title = "Este link não abre mais";
  const ways = { label: "Ir para Minhas compras", href: paths.purchases() };
  const children = <AccessEndedPage title={title} text={message} {...ways} />;
  return pageResponse(await renderPage(BUYER_SHELL, { title, children }), { status });
}

/** First the remaining upsells; then the page itself. A sale that is an upsell itself has none. */
async function show(
  request: Request,
  purchase: Purchase,
  visitor: Visitor,
  message: string | null,
  failure: Failed = { status: 200 },
): Promise<Response> {
  const thankYou = await findThankYou(purchase.sellerId);
  const offering = purchase.status === "completed" && purchase.parentSaleId === null;
  const bought = { ...purchase, refundRequest: await findOpenRefundRequest(purchase) };
  const upsell = offering ? await showUpsell(bought) : null;
  const forgetHeaders = hasAccess(purchase) ? await clearOrder(request, purchase.productId) : {};
  const init = { status: failure.status, headers: { ...forgetHeaders, ...retryHeaders(failure) } };
  if (!upsell) {
    const acceptedUpsells = await findAcceptedUpsells(bought);
    const mail = await mailOf(purchase, visitor, thankYou.settings);
    const keys = await findOrderKeys(purchase, visitor.key);
    const page = await render(bought, acceptedUpsells, thankYou, message, { visitor, mail, keys });
    return pageResponse(page, init);
  }
  const { css, scheme } = buildPalette(thankYouColors(thankYou.settings, thankYou.checkout));
  const answered = { kind: "carousel" as const, linkKey: visitor.key };
  const parts = upsellParts({ ...upsell, ...answered, message, store: thankYou.store }, scheme);
  return pageResponse(await renderPage(BUYER_SHELL, parts, { css: [css], frames: VIDEO_FRAMES }), init);
}

/** Those that were paid, or may have been, stay their buyer's, whatever became of the purchase itself. */
async function findAcceptedUpsells(purchase: ThankYouView["purchase"]): Promise<AcceptedUpsell[]> {
  const { saleId, status, parentSaleId } = purchase;
  if (UNPAID.includes(status) || parentSaleId !== null) return [];
  const accepted = await listAcceptedUpsells(saleId);
  const areSold = status === "completed" && !isToBeRefunded(purchase);
  return areSold ? accepted : accepted.filter((one) => one.isPaid || one.isBeingConfirmed);
}

/**
 * The state of the mail with the access. Its address is shown in full only where it was typed. A seller who hides the
 * download button wants the content opened from the mail: it stays on the page while no mail with it has reached the buyer.
 */
async function mailOf(
  purchase: Purchase,
  { isOrderingBrowser, isMailReader }: Visitor,
  settings: ThankYouSettings,
): Promise<AccessMail | null> {
  const { saleId, customerEmail: to } = purchase;
  if (!to || !hasAccess(purchase)) return null;
  const sent = (await findAccessMails([saleId], to)).get(saleId);
  const hasContent = purchase.lines.some((line) => line.hasFile || line.items.length > 0);
  const isMailedOnly =
    hasContent && !settings.show_download_button && sent !== undefined && isMailAtHand(sent);
  const isOnlyWay = isMailedOnly && !(await isMailReader());
  return { to: isOrderingBrowser ? to : maskMail(to), state: sent?.state ?? null, isOnlyWay };
}

function render(
  purchase: ThankYouView["purchase"],
  acceptedUpsells: AcceptedUpsell[],
  { settings, checkout, guaranteeDays, contact, store }: ThankYou,
  refusal: string | null,
  {
    visitor: { key, isOrderingBrowser },
    mail,
    keys,
  }: { visitor: Visitor; mail: AccessMail | null; keys: PurchaseKeys },
) {
  const paid = hasAccess(purchase);
  const message = sanitizeHtml(paid ? settings.custom_message : "", "m");
  const { css, scheme } = buildPalette(thankYouColors(settings, checkout), hasOwnColors(message.css));
  const hrefOf = (lineId: string) =>
    downloadUrl(purchase.saleId, lineId, Date.now(), purchase.emailCorrectedAt, key);
  const openLines = paid && !mail?.isOnlyWay ? purchase.lines : [];
  const downloads = openLines
    .filter((line) => line.hasFile)
    .map((line) => ({ name: line.name, kind: line.kind, href: hrefOf(line.id) }));
  // A file has a button of its own.
  const bought = openLines
    .filter((line) => line.items.length > 0 || !line.hasFile)
    .map(({ id, name, items }) => ({
      name,
      items: items.map((item) => ({ ...item, href: paths.boughtItem(purchase.saleId, id, item.id, key) })),
    }));
  const addMail = isOrderingBrowser ? paths.correctEmail(purchase.saleId) : null;
  const purchaseLink =
    paid && !purchase.hasMail && !purchase.isGivenUp
      ? { url: env.APP_URL + paths.thankYou(purchase.saleId), addMail }
      : null;
  const continueTo = paid ? settings.redirect_url || purchase.redirectUrl : null;
  return renderPage(
    BUYER_SHELL,
    {
      description: `Sua compra de ${purchase.productName}: situação, acesso e atendimento.`,
      title: paid ? settings.title || "Obrigado pela sua compra!" : `Compra de ${purchase.productName}`,
      scheme,
      ...(isAwaited(purchase) ? { refreshAfter: REFRESH } : {}),
      children: (
        <ThankYouPage
          {...{
            purchase,
            acceptedUpsells,
            keys,
            settings,
            contact,
            store,
            downloads,
            bought,
            continueTo,
            mail,
            purchaseLink,
          }}
          guaranteeDays={purchase.guaranteeDays ?? guaranteeDays}
          messageHtml={message.html}
          alert={refusal}
        />
      ),
    },
    { css: [css, message.css] },
  );
}
