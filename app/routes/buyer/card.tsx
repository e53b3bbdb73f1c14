import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findOrderKeys } from "#app/domain/access/find-order-keys.server.ts";
import { isPlacedInBrowser } from "#app/domain/access/refuse-old-link.server.ts";
import { DECLINE_TEXTS } from "#app/domain/card/decline-texts.ts";
import { describeInstalments } from "#app/domain/card/list-instalments.server.ts";
import { payByCard } from "#app/domain/card/pay-by-card.server.ts";
import { readCardForm } from "#app/domain/card/read-card-form.ts";
import { type CardScreen, showCardPage } from "#app/domain/card/show-card-page.server.ts";
import { CHALLENGE_FRAME_SOURCES } from "#app/domain/charge/challenge-urls.server.ts";
import { CANNOT_PAY, NO_CARDS, NO_PAYMENTS } from "#app/domain/gateway/cannot-pay.ts";
import { explainOwnHoldOfOrder } from "#app/domain/order/explain-own-hold.server.ts";
import { heldBy } from "#app/domain/order/order-refusal.ts";
import { BUMP_GONE_TEXT, MISMATCH } from "#app/domain/order/payable-order.server.ts";
import type { BuyerPaymentSummary } from "#app/domain/sale/payment-summary.ts";
import { checkPendingCharges } from "#app/domain/settlement/check-pix.server.ts";
import { buildPalette } from "#app/domain/storefront/build-palette.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { backToForm } from "#app/routes/buyer/back-to-form.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { readProof } from "#app/server/session/proof.server.ts";
import { CardPage } from "#app/ui/buyer/card-page.tsx";
import type { CardView } from "#app/ui/buyer/card-view.ts";
import { isMailedUnpaid } from "#app/ui/buyer/describe-contact.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { paymentNotes } from "#app/ui/buyer/payment/payment-note-texts.ts";

/** Seconds until the page of a payment that is being confirmed reloads without JavaScript. */
const REFRESH = 15;
const CODE_STAYS_VALID =
  "O código PIX deste pedido continua valendo. Pague de um jeito só: com o PIX ou com o cartão.";
const UNCONFIRMED =
  "O banco ainda não recebeu a sua confirmação. Se você já confirmou, espere alguns segundos e verifique de novo.";
const UNCERTAIN =
  "O banco não respondeu se o código PIX deste pedido já foi pago. Se você já pagou, não pague de novo: o pagamento será reconhecido. Se não pagou, toque de novo em “Pagar com cartão”.";
const STILL_PENDING = "O banco ainda não respondeu. Aguarde: esta página avisa assim que a resposta chegar.";

/**
 * Where an order is paid with a card, in the provider's own fields: the only page with another company's script, and without
 * the seller's HTML, CSS and pixels. Its URL contains the sale's unguessable id.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) =>
    answer(request, await find(params.saleId)),
  );
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const { saleId, paymentSummary } = await find(params.saleId);
    const { key, placedSaleIds } = await readProof(request);
    const data = await parseFormData(request);
    if (data.get("intent") === "check") {
      const { buyer, apiStatus } = (await checkPendingCharges(saleId)).summary;
      // Loaded anew: what another state shows needs another policy.
      if (buyer !== paymentSummary.buyer || !STATES[buyer])
        return redirect(
          apiStatus === "completed" ? paths.thankYou(saleId, key) : paths.card(saleId, key),
          303,
        );
      const screen = await find(saleId);
      const isOver = Boolean(data.get("over"));
      const message = screen.challengeUrl && !isOver ? UNCONFIRMED : STILL_PENDING;
      return answer(request, screen, { message, isOver });
    }
    const { values, errors, card } = readCardForm(data);
    if (!card) return answer(request, await find(saleId), { values, errors, status: 400 });
    try {
      await throttle("card", request, saleId);
      // A code of this order may just have been paid.
      const { summary, isUncertain } = await checkPendingCharges(saleId);
      if (isUncertain && !data.get("pays_anyway"))
        return answer(request, await find(saleId), { values, message: UNCERTAIN, paysAnyway: true });
      if (summary.apiStatus !== "completed") await payByCard(saleId, card);
    } catch (thrown) {
      const error = await explainOwnHoldOfOrder(thrown, saleId, placedSaleIds);
      if (!(error instanceof Refusal)) throw error;
      const failure = toFailure(error, request);
      return answer(request, await find(saleId), {
        ...{ values, message: error.message, heldBySaleId: heldBy(error) },
        ...{ status: failure.status, headers: retryHeaders(failure) },
      });
    }
    const screen = await find(saleId);
    // A declined card is answered in place: what was typed into the provider's fields stays.
    if (!isPaid(screen) && screen.decline) return answer(request, screen, { values, status: 402 });
    return redirect(isPaid(screen) ? paths.thankYou(saleId, key) : paths.card(saleId, key), 303);
  });
}

async function find(saleId = ""): Promise<CardScreen> {
  const screen = await showCardPage(saleId);
  if (!screen) throw notFound("A venda especificada não foi encontrada.");
  return screen;
}

function isPaid({ paymentSummary }: CardScreen): boolean {
  return paymentSummary.apiStatus === "completed";
}

type Answer = {
  values?: CardView["values"];
  errors?: CardView["errors"];
  message?: string;
  /** The buyer's order that holds what this one was refused for. */
  heldBySaleId?: string | null;
  paysAnyway?: boolean;
  /** Whether the bank's page has ended. */
  isOver?: boolean;
  status?: number;
  headers?: Record<string, string>;
};

async function answer(request: Request, screen: CardScreen, given: Answer = {}): Promise<Response> {
  const { saleId, payment } = screen;
  const { key } = await readProof(request);
  if (isPaid(screen)) return redirect(paths.thankYou(saleId, key), request.method === "POST" ? 303 : 302);
  const { css, scheme } = buildPalette(screen.shop.settings);
  const view = await viewOf(request, screen, given);
  const page = await renderPage(
    BUYER_SHELL,
    {
      title: `Pagamento de ${screen.productName}`,
      scheme,
      script: "card" as const,
      ...(isWaiting(view) ? { refreshAfter: REFRESH } : {}),
      children: <CardPage {...view} />,
    },
    {
      css: [css],
      isReported: true,
      ...(view.fields && payment ? { fields: payment.gateway.cards.fields().sources } : {}),
      ...(view.state === "challenged" ? { fields: { frame: CHALLENGE_FRAME_SOURCES } } : {}),
    },
  );
  return pageResponse(page, { status: given.status ?? 200, headers: given.headers ?? {} });
}

/** Not while the bank's page is shown, which would begin anew. */
function isWaiting({ state, challengeUrl }: CardView): boolean {
  return state === "verifying" || state === "in-review" || (state === "challenged" && !challengeUrl);
}

async function viewOf(request: Request, screen: CardScreen, given: Answer): Promise<CardView> {
  const { saleId, payment, customerEmail, customerName, paymentSummary } = screen;
  const { placedSaleIds, key } = await readProof(request);
  const isOwn = isPlacedInBrowser({ ...screen, id: saleId }, placedSaleIds);
  const reason = closedReason(screen);
  const known = STATES[paymentSummary.buyer];
  const state =
    known === "challenged" && given.isOver ? "verifying" : (known ?? (reason ? "closed" : "form"));
  const shown = state === "form" ? payment : null;
  const { decline } = screen;
  const { instalments, gateway } = shown ?? {};
  return {
    ...screen,
    state,
    paymentSummary: paymentSummary.buyer,
    mailTo: isOwn && customerEmail ? { email: customerEmail, correct: paths.correctEmail(saleId) } : null,
    contact: screen.shop.contact,
    isMailed: isMailedUnpaid(screen),
    store: screen.shop.store,
    offersPix: offersPix(screen, { state, reason }),
    notes: [
      ...(state === "form" && paymentSummary.buyer === "payable" ? [CODE_STAYS_VALID] : []),
      ...paymentNotes(paymentSummary.payments, { ...screen, status: screen.saleStatus }),
    ],
    values: given.values ?? {
      holder_name: (isOwn && customerName) || "",
      holder_document: "",
      instalments: "1",
    },
    errors: given.errors ?? {},
    paysAnyway: given.paysAnyway ?? false,
    isChallengeRequired: decline === "challenge-required" && !given.message && !given.errors,
    heldBySaleId: given.heldBySaleId ?? null,
    message:
      given.message ??
      (state === "closed" ? reason : decline ? `${DECLINE_TEXTS[decline]} Nada foi cobrado.` : null),
    instalments: instalments ? describeInstalments(instalments) : [],
    brand: instalments?.brand ?? "",
    fields: gateway ? { ...gateway.cards.fields(), publicKey: gateway.publicKey } : null,
    links: {
      pix: paths.pix(saleId, key),
      instalments: paths.instalments(saleId),
      events: paths.saleEvents(saleId),
      status: paymentSummary.chargeId && paths.paymentStatus(paymentSummary.chargeId),
      paid: paths.thankYou(saleId, key),
      back: screen.parentSaleId
        ? paths.thankYou(screen.parentSaleId, (await findOrderKeys(screen, key)).get(screen.parentSaleId))
        : backToForm(screen),
    },
  };
}

const STATES: Partial<Record<BuyerPaymentSummary, CardView["state"]>> = {
  verifying: "verifying",
  announced: "verifying",
  challenged: "challenged",
  "in-review": "in-review",
};

const ANONYMIZED =
  "Os dados deste pedido foram apagados. Nada foi cobrado no cartão. Faça um novo pedido na página do produto.";

const BUMP_GONE = `${BUMP_GONE_TEXT} Nada foi cobrado no cartão. Faça um novo pedido na página do produto.`;

/** Why an order takes no card; null where it does. */
function closedReason({
  payment,
  isForSale,
  isBumpGone,
  isAnonymized,
  paymentSummary,
  takesPix,
  shop,
}: CardScreen): string | null {
  if (!isForSale) return "Este produto não está mais à venda. Nada foi cobrado no cartão.";
  if (paymentSummary.buyer === "mispaid") return MISMATCH;
  if (isAnonymized) return ANONYMIZED;
  if (isBumpGone) return BUMP_GONE;
  if (payment) return null;
  if (!shop.settings.enable_pix) return NO_PAYMENTS;
  return takesPix ? NO_CARDS : CANNOT_PAY;
}

/** Where the seller takes no payments now, or a bump is gone, a code that was shown before is valid all the same. */
function offersPix({ takesPix, paymentSummary }: CardScreen, { state, reason }: Closing): boolean {
  const hasCode = paymentSummary.buyer === "payable";
  if (state === "form") return takesPix || hasCode;
  if (state !== "closed") return false;
  return reason === NO_CARDS || (hasCode && [NO_PAYMENTS, CANNOT_PAY, BUMP_GONE].includes(reason ?? ""));
}

type Closing = Pick<CardView, "state"> & { reason: string | null };
