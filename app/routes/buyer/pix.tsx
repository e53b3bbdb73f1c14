import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { findOrderKeys, type PurchaseKeys } from "#app/domain/access/find-order-keys.server.ts";
import { isPlacedInBrowser } from "#app/domain/access/refuse-old-link.server.ts";
import { explainOwnHoldOfOrder } from "#app/domain/order/explain-own-hold.server.ts";
import { HAS_PAYMENT, heldBy } from "#app/domain/order/order-refusal.ts";
import { type PixScreen, showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { priceByMethod } from "#app/domain/pricing/quote.ts";
import { closedShopWarning } from "#app/domain/sale/closed-shop.ts";
import type { PaymentSummary } from "#app/domain/sale/payment-summary.ts";
import { checkPendingCharges, checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { buildPalette } from "#app/domain/storefront/build-palette.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths, RETRY_AFTER_FAILURE } from "#app/kit/paths.ts";
import { qrSvg } from "#app/kit/qr-code.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { backToForm } from "#app/routes/buyer/back-to-form.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { readProof } from "#app/server/session/proof.server.ts";
import { isMailedUnpaid } from "#app/ui/buyer/describe-contact.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";
import { paymentNotes } from "#app/ui/buyer/payment/payment-note-texts.ts";
import { PixPage } from "#app/ui/buyer/pix-page.tsx";
import type { PixView } from "#app/ui/buyer/pix-view.ts";

const STILL_PENDING = "Pagamento ainda está pendente. Aguarde ou tente novamente em alguns instantes.";
const BEING_MADE = "O código ainda está sendo gerado: ele aparece aqui em alguns segundos.";
const NO_CODE = "Nenhum código PIX chegou a ser gerado para este pedido: nada foi cobrado.";
const NO_ANSWER =
  "Erro ao verificar status do pagamento. Se você já pagou, o pagamento não se perde: tente de novo em alguns instantes.";
const UNCERTAIN =
  "O banco não respondeu se o código anterior já foi pago. Se você já pagou, não pague de novo: o pagamento será reconhecido. Se não pagou, toque de novo em “Gerar novo PIX”.";
/** Seconds until the page reloads without JavaScript; longer when only a late payment can arrive. */
const REFRESH = 15;
const REFRESH_LATE = 60;

/** The payment screen. Its URL contains the sale's unguessable id, so it can be reloaded and opened elsewhere. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const pix = await find(params.saleId);
    const { key } = await readProof(request);
    if (isPaid(pix)) return redirect(paths.thankYou(pix.saleId, key));
    return isOnCardPage(pix) ? redirect(paths.card(pix.saleId, key)) : show(request, pix);
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const pix = await find(params.saleId);
    const { key, placedSaleIds } = await readProof(request);
    const form = await parseFormData(request);
    const intent = form.get("intent");
    try {
      if (intent === "again") {
        // Another code is created only after the provider was checked about the existing ones, so that nobody pays twice.
        const { summary, isUncertain } = await checkPendingCharges(pix.saleId);
        if (isUncertain && summary.buyer !== "payable" && !form.get("pays_anyway"))
          return show(request, await find(pix.saleId), { message: UNCERTAIN, paysAnyway: true });
        if (summary.apiStatus !== "completed") await startPix(pix.saleId);
        return redirect(paths.pix(pix.saleId, key), 303);
      }
      if (!pix.charge || !pix.hadCode)
        return show(request, pix, { message: pix.paymentSummary.buyer === "making" ? BEING_MADE : NO_CODE });
      const { status, isUncertain, nextCheckAt } = await checkPix(pix.charge.id, { asksProvider: true });
      if (status === "completed") return redirect(paths.thankYou(pix.saleId, key), 303);
      const pending = status === "pending" ? `${STILL_PENDING}${nextCheckText(nextCheckAt)}` : null;
      return show(request, await find(params.saleId), { message: isUncertain ? NO_ANSWER : pending });
    } catch (thrown) {
      const error = await explainOwnHoldOfOrder(thrown, pix.saleId, placedSaleIds);
      if (!(error instanceof Refusal)) throw error;
      // The page says which payment it has, or leads to the one that does.
      if (error.code === HAS_PAYMENT) return redirect(paths.pix(pix.saleId, key), 303);
      const current = await find(params.saleId);
      const { status, retryAfter } = toFailure(error, request);
      const answer = { message: error.message, heldBySaleId: heldBy(error), status, retryAfter };
      return show(request, current, answer);
    }
  });
}

function nextCheckText(at: Date | null): string {
  if (!at) return "";
  const seconds = Math.max(1, Math.ceil((at.getTime() - Date.now()) / SECOND));
  return ` Perguntamos de novo ao banco em ${seconds} segundos.`;
}

async function find(saleId = ""): Promise<PixScreen> {
  const pix = await showPix(saleId);
  if (!pix) throw notFound("A venda especificada não foi encontrada.");
  return pix;
}

function isPaid({ paymentSummary }: PixScreen): boolean {
  return paymentSummary.apiStatus === "completed";
}

/** A card is being charged or was declined, or was chosen and no code was created. */
function isOnCardPage({ paymentSummary, paymentMethod, charge }: PixScreen): boolean {
  const isOfCard = paymentSummary.buyer === "declined" || UNDECIDED.includes(paymentSummary.buyer);
  return isOfCard || (paymentMethod === "card" && !charge);
}

/** A card is being charged. */
const UNDECIDED: PaymentSummary["buyer"][] = ["verifying", "challenged", "in-review"];

type Answer = {
  message?: string | null;
  /** The buyer's order that holds what this one was refused for. */
  heldBySaleId?: string | null;
  paysAnyway?: boolean;
  status?: number;
  retryAfter?: number;
};

async function show(request: Request, pix: PixScreen, answer: Answer = {}): Promise<Response> {
  const { settings } = pix.shop;
  const { css, scheme } = buildPalette(settings);
  const { placedSaleIds, key } = await readProof(request);
  const view = await viewOf(pix, answer, placedSaleIds, await findOrderKeys(pix, key));
  const page = await renderPage(
    BUYER_SHELL,
    {
      title: `Pagamento de ${pix.productName}`,
      scheme,
      refreshAfter: view.state === "payable" ? REFRESH : REFRESH_LATE,
      children: <PixPage {...view} />,
    },
    { css: [css] },
  );
  return pageResponse(page, { status: answer.status ?? 200, headers: retryHeaders(answer) });
}

async function viewOf(
  { customerEmail, ...pix }: PixScreen,
  { message = null, heldBySaleId = null, paysAnyway = false }: Answer,
  placed: string[],
  keys: PurchaseKeys,
): Promise<PixView> {
  const { saleId, charge } = pix;
  const thankYou = (id: string) => paths.thankYou(id, keys.get(id));
  const isOwn = isPlacedInBrowser({ ...pix, id: saleId }, placed);
  const state = STATES[pix.paymentSummary.buyer];
  const code = state === "payable" ? charge!.pixCode! : "";
  return {
    ...pix,
    mailTo: isOwn && customerEmail ? { email: customerEmail, correct: paths.correctEmail(saleId) } : null,
    contact: pix.shop.contact,
    isMailed: isMailedUnpaid(pix),
    store: pix.shop.store,
    ...{ message, heldBySaleId, paysAnyway },
    state,
    paymentSummary: pix.paymentSummary.buyer,
    notes: [
      ...(pix.shopClosedAt && state === "payable" ? [closedShopWarning(pix.shopClosedAt, new Date())] : []),
      ...paymentNotes(pix.paymentSummary.payments, { ...pix, status: pix.saleStatus }),
    ],
    warning: charge?.warning ?? null,
    pixCode: code,
    qrSvg: code && (await qrSvg(code)),
    expiresAt: charge?.expiresAt ?? null,
    links: {
      events: paths.saleEvents(saleId),
      status: charge && paths.paymentStatus(charge.id),
      paid: thankYou(saleId),
      card:
        pix.takesCards && pix.isForSale && !pix.isBumpGone && pix.hasMail
          ? paths.card(saleId, keys.get(saleId))
          : null,
      back: pix.parentSaleId ? thankYou(pix.parentSaleId) : backToForm(pix, "1"),
      failed:
        pix.parentSaleId || !pix.isForSale
          ? paths.pix(saleId, keys.get(saleId))
          : backToForm(pix, RETRY_AFTER_FAILURE),
    },
    cardCents: priceByMethod(pix, "card").amountCents,
    simulateUrl: charge?.sandboxTransactionId
      ? `${env.sandboxUrl}/control/transactions/${charge.sandboxTransactionId}/pay?return=${encodeURIComponent(env.APP_URL + paths.pix(saleId))}`
      : null,
  };
}

const STATES: Record<PaymentSummary["buyer"], PixView["state"]> = {
  making: "making",
  payable: "payable",
  announced: "waiting",
  over: "over",
  used: "used",
  unmade: "unmade",
  closed: "closed",
  failed: "failed",
  mispaid: "mispaid",
  // They redirect to the card's page or the thank-you page before they are rendered.
  verifying: "waiting",
  challenged: "waiting",
  "in-review": "waiting",
  // So does a declined card, except where its buyer asked for a PIX and got none.
  declined: "unmade",
  paid: "waiting",
  returned: "waiting",
};
