import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { isPlacedHere } from "#app/domain/access/may-open.server.ts";
import { type PixScreen, showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import type { Standing } from "#app/domain/sale/standing.ts";
import { askAboutSale, checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { palette } from "#app/domain/storefront/palette.ts";
import { SECOND } from "#app/kit/duration.ts";
import { FAILED, paths } from "#app/kit/paths.ts";
import { qrSvg } from "#app/kit/qr-code.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { paymentNotes } from "#app/ui/buyer/payment/words.ts";
import { PixPage } from "#app/ui/buyer/pix-page.tsx";
import type { PixView } from "#app/ui/buyer/pix-view.ts";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { recallSales } from "#app/web/session/sales-cookie.server.ts";

const STILL_PENDING = "Pagamento ainda está pendente. Aguarde ou tente novamente em alguns instantes.";
const NO_ANSWER =
  "Erro ao verificar status do pagamento. Se você já pagou, o pagamento não se perde: tente de novo em alguns instantes.";
/** Without JavaScript the page looks again by itself, in seconds; less often where only a late payment can come. */
const REFRESH = 15;
const REFRESH_LATE = 60;

/** The payment-started screen. Its address hangs on the sale's unguessable id: it can be reloaded and opened elsewhere. */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const pix = await find(params.saleId);
    return isPaid(pix) ? redirect(paths.thankYou(pix.saleId)) : show(request, pix, null);
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const pix = await find(params.saleId);
    const intent = (await formOf(request)).get("intent");
    try {
      if (intent === "again") {
        // Another code is made only once the provider was asked about those there are: who has paid pays nothing twice.
        if ((await askAboutSale(pix.saleId)).api !== "completed") await startPix(pix.saleId);
        return redirect(paths.pix(pix.saleId), 303);
      }
      if (!pix.charge) return show(request, pix, STILL_PENDING);
      const { status, unsure, nextLookAt } = await checkPix(pix.charge.id, { ask: true });
      if (status === "completed") return redirect(paths.thankYou(pix.saleId), 303);
      const pending = status === "pending" ? `${STILL_PENDING}${nextLookWords(nextLookAt)}` : null;
      return show(request, await find(params.saleId), unsure ? NO_ANSWER : pending);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return show(request, await find(params.saleId), error.message, toFailure(error, request).status);
    }
  });
}

function nextLookWords(at: Date | null): string {
  if (!at) return "";
  const seconds = Math.max(1, Math.ceil((at.getTime() - Date.now()) / SECOND));
  return ` Perguntamos de novo ao banco em ${seconds} segundos.`;
}

async function find(saleId = ""): Promise<PixScreen> {
  const pix = await showPix(saleId);
  if (!pix) throw notFound("A venda especificada não foi encontrada.");
  return pix;
}

function isPaid({ standing }: PixScreen): boolean {
  return standing.api === "completed";
}

async function show(
  request: Request,
  pix: PixScreen,
  message: string | null,
  status = 200,
): Promise<Response> {
  const { settings } = pix.shop;
  const { css, scheme } = palette(settings);
  const placed = await recallSales(request);
  const view = await viewOf(pix, message, placed);
  const page = renderPage(
    LOOK,
    {
      title: `Pagamento de ${pix.productName}`,
      scheme,
      refreshAfter: view.state === "payable" ? REFRESH : REFRESH_LATE,
      children: <PixPage {...view} />,
    },
    { css: [css] },
  );
  return respond(page, { status });
}

async function viewOf(
  { customerEmail, ...pix }: PixScreen,
  message: string | null,
  placed: string[],
): Promise<PixView> {
  const { saleId, charge } = pix;
  const isOwn = isPlacedHere({ ...pix, id: saleId }, placed);
  const state = STATES[pix.standing.buyer];
  const code = state === "payable" ? charge!.pixCode! : "";
  return {
    ...pix,
    mailTo: isOwn && customerEmail ? { email: customerEmail, correct: paths.correctEmail(saleId) } : null,
    contact: pix.shop.contact,
    store: pix.shop.store,
    message,
    state,
    standing: pix.standing.buyer,
    notes: paymentNotes(pix.standing.payments, { ...pix, status: pix.saleStatus }),
    notice: charge?.notice ?? null,
    pixCode: code,
    qrSvg: code && (await qrSvg(code)),
    expiresAt: charge?.expiresAt ?? null,
    links: {
      events: paths.saleEvents(saleId),
      status: charge && paths.paymentStatus(charge.id),
      paid: paths.thankYou(saleId),
      back: pix.parentSaleId ? paths.thankYou(pix.parentSaleId) : backToForm(pix, "1"),
      failed: pix.parentSaleId || !pix.isForSale ? paths.pix(saleId) : backToForm(pix, FAILED),
    },
    simulateUrl: charge?.sandboxTransactionId
      ? `${env.sandboxUrl}/control/transactions/${charge.sandboxTransactionId}/pay?return=${encodeURIComponent(env.APP_URL + paths.pix(saleId))}`
      : null,
  };
}

/** The form's address as the buyer came to it: the campaign is not lost by going back. */
function backToForm(
  { productId, checkoutSlug, campaign }: Pick<PixScreen, "productId" | "checkoutSlug" | "campaign">,
  why: "1" | typeof FAILED,
): string {
  const query = new URLSearchParams(Object.entries(campaign).map(([name, value]) => [name, value ?? ""]));
  return paths.backToCheckout({ id: productId, checkoutSlug }, query, why);
}

const STATES: Record<Standing["buyer"], PixView["state"]> = {
  making: "making",
  payable: "payable",
  announced: "waiting",
  over: "over",
  used: "used",
  unmade: "unmade",
  closed: "closed",
  failed: "failed",
  mispaid: "mispaid",
  // Both go on to the thank-you page before they are drawn.
  paid: "waiting",
  returned: "waiting",
};
