import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findOrderKeys } from "#app/domain/access/find-order-keys.server.ts";
import { refuseOldLink } from "#app/domain/access/refuse-old-link.server.ts";
import { type Purchase, showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { findOpenRefundRequest } from "#app/domain/refund/request/find-open-refund-requests.server.ts";
import { buildPalette, thankYouColors } from "#app/domain/storefront/build-palette.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { answerUpsell } from "#app/domain/upsell/answer-upsell.server.ts";
import { isToBeRefunded } from "#app/domain/upsell/is-to-be-refunded.ts";
import { showUpsell } from "#app/domain/upsell/show-upsell.server.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { readBuyerContext } from "#app/server/session/buyer-context.server.ts";
import { readProof } from "#app/server/session/proof.server.ts";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { upsellParts } from "#app/ui/buyer/upsell-page.tsx";
import { VIDEO_FRAMES } from "#app/ui/buyer/video.tsx";

/** Seconds until a page without an upsell redirects. */
const REDIRECT_AFTER = 5;

/** Upsells after a paid product: `/upsell/{productId}?sale={saleId}`. One at a time, each with its own deadline. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const purchase = await find(request, params.productId);
    return purchase && isOver(purchase) ? leadToPurchase(request, purchase) : show(request, purchase, null);
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const purchase = await find(request, params.productId);
    if (!purchase) throw notFound("A venda especificada não foi encontrada.");
    if (isOver(purchase)) return leadToPurchase(request, purchase);
    const { pathname, search } = new URL(request.url);
    try {
      const { saleIdToPay: payFor } = await answerUpsell(
        purchase,
        await parseFormData(request),
        await readBuyerContext(request),
      );
      if (!payFor) return redirect(pathname + search, 303);
      const keys = await findOrderKeys(purchase, (await readProof(request)).key);
      return redirect(paths.pix(payFor, keys.get(payFor)), 303);
    } catch (error) {
      if (!(error instanceof OrderRefusal)) throw error;
      return show(request, purchase, error.message, toFailure(error, request));
    }
  });
}

async function find(request: Request, productId = ""): Promise<Purchase | null> {
  const purchase = await showPurchase(new URL(request.url).searchParams.get("sale") ?? "");
  // An accepted upsell has no upsells of its own.
  const fits = purchase !== null && purchase.completedAt !== null && purchase.parentSaleId === null;
  if (purchase) await refuseOldLink({ ...purchase, id: purchase.saleId }, await readProof(request));
  return fits && String(purchase.productId) === productId ? purchase : null;
}

/** It was returned or is disputed, maybe since the page was opened. */
const isOver = ({ status }: Purchase) => status !== "completed";

/** Its own page says what became of it. */
async function leadToPurchase(request: Request, { saleId }: Purchase): Promise<Response> {
  return redirect(paths.thankYou(saleId, (await readProof(request)).key), 303);
}

async function show(
  request: Request,
  purchase: Purchase | null,
  message: string | null,
  failure: { status: number; retryAfter?: number } = { status: 200 },
): Promise<Response> {
  if (!purchase) return pageResponse(await nothingBought(), { status: 404 });
  const init = { status: failure.status, headers: retryHeaders(failure) };
  const bought = { ...purchase, refundRequest: await findOpenRefundRequest(purchase) };
  const upsell = await showUpsell(bought);
  if (!upsell) {
    const words = isToBeRefunded(bought) ? TO_BE_REFUNDED : THANKS;
    return pageResponse(await renderNoUpsell(request, purchase, words, message), init);
  }
  const { css, scheme, store } = await loadColors(purchase);
  const parts = upsellParts({ ...upsell, kind: "upsell", linkKey: "", message, store }, scheme);
  return pageResponse(await renderPage(BUYER_SHELL, parts, { css: [css], frames: VIDEO_FRAMES }), init);
}

async function loadColors({ sellerId }: Purchase) {
  const { settings, checkout, store } = await findThankYou(sellerId);
  return { ...buildPalette(thankYouColors(settings, checkout)), store };
}

const THANKS = { icon: "done", title: "Obrigado pela sua compra!", text: "" } as const;
const TO_BE_REFUNDED = {
  icon: "waiting",
  title: "Devolução pedida",
  text: "A página da compra diz o que acontece com o valor.",
} as const;

async function renderNoUpsell(
  request: Request,
  purchase: Purchase,
  { icon, title, text }: typeof THANKS | typeof TO_BE_REFUNDED,
  message: string | null,
) {
  const next = paths.thankYou(purchase.saleId, (await readProof(request)).key);
  const { css, scheme } = await loadColors(purchase);
  const parts = {
    title,
    scheme,
    timedRedirect: { to: next, after: REDIRECT_AFTER },
    children: (
      <MessagePage
        icon={icon}
        title={title}
        text={[message || text, "Você será redirecionado em breve..."].filter(Boolean).join(" ")}
      >
        <a className="btn btn-main" href={next}>
          Ver minha compra
        </a>
        <redirect-countdown data-href={next} data-seconds={REDIRECT_AFTER} class="small" hidden>
          <span role="timer">
            Em <b>{REDIRECT_AFTER}</b> segundos.
          </span>{" "}
          <button type="button" className="btn btn-plain">
            Ficar aqui
          </button>
        </redirect-countdown>
      </MessagePage>
    ),
  };
  return renderPage(BUYER_SHELL, parts, { css: [css] });
}

/** Without a purchase there is no thanks and no redirect. */
function nothingBought() {
  return renderPage(BUYER_SHELL, {
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
