import { redirect } from "@remix-run/node";
import { productRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { canTakePayments } from "#app/domain/payments/can-take-payments.server.ts";
import { CANNOT_PAY } from "#app/domain/payments/cannot-pay.ts";
import { findCheckoutTerms } from "#app/domain/payments/pay-terms.server.ts";
import { startPix } from "#app/domain/payments/start-pix.server.ts";
import { readCampaign, readOrder } from "#app/domain/sales/order-form.server.ts";
import { ownsProduct } from "#app/domain/sales/owns-product.server.ts";
import { placeSale } from "#app/domain/sales/place-sale.server.ts";
import { raisedMessage } from "#app/domain/sales/refuse-raised.ts";
import { readSeenTotal, totalOf } from "#app/domain/sales/seen-prices.ts";
import { dressCheckout } from "#app/domain/storefront/dress-checkout.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths, RETRY } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { prefilled, readFields, refilled } from "#app/routes/buyer/checkout-form.server.ts";
import { CheckoutPage } from "#app/ui/buyer/checkout-page.tsx";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer-page.server.tsx";
import { clientIp } from "#app/web/client.server.ts";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { type KeptPage, keepPage, sendKept } from "#app/web/kept-page.server.ts";
import { recallOrder, rememberOrder } from "#app/web/order-cookie.server.ts";
import { pageCache } from "#app/web/page-cache.server.ts";
import { placerOf } from "#app/web/placer.server.ts";
import { rememberSale } from "#app/web/sales-cookie.server.ts";

const MISSING = "O produto que você está procurando não existe ou não está mais disponível.";
const EXPIRED = "Esta oferta expirou! Recarregue a página para uma nova oportunidade.";

type Checkout = NonNullable<Awaited<ReturnType<typeof findCheckoutTerms>>>;
type Params = { productId?: string; slug?: string };

const cached = pageCache<KeptPage>();

/** The checkout: the same page for everyone, kept ready; a form that comes back, filled or with errors, is drawn for its sender. */
export const { loader, action } = buyerPage(LOOK, {
  GET: async ({ request, params }) => {
    const query = new URL(request.url).searchParams;
    const values = prefilled(query);
    // Whoever comes back gets a page of their own, also where their browser carries nothing: it shares no address.
    if (values || query.has(RETRY)) {
      const checkout = await find(params);
      const typed = query.has(RETRY) ? await recallOrder(request, checkout.product.id) : null;
      return respond(render(checkout, { ...(await untouched(checkout)), ...refilled(values, typed) }));
    }
    const key = params.slug ? `s:${params.slug.toLowerCase()}` : `id:${params.productId}`;
    const page = await cached(key, async () => {
      const checkout = await find(params);
      const tags = [String(checkout.product.id), `seller:${checkout.product.sellerId}`];
      return { tags, page: keepPage(render(checkout, await untouched(checkout))) };
    });
    return sendKept(page!, request);
  },

  POST: async ({ request, params }) => {
    const checkout = await find(params);
    const { product, settings } = checkout;
    const data = await formOf(request);
    const fields = readFields(data);
    const bumpIds = fields.order_bumps.map(Number);
    const seenCents = readSeenTotal(String(data.get("seen_prices") ?? ""), bumpIds);
    // Told also where no PIX could be made: the next try is the same sale.
    const cookies: [string, string][] = [];
    const again = (
      reply: Partial<CheckoutForm>,
      failure: { status: number; retryAfter?: number },
      shown = checkout,
    ) => {
      const raised = raisedMessage(seenCents, totalOf(shown.product, bumpIds));
      // What was refused may be the raised price itself.
      const alert = [...new Set([reply.alert, raised])].filter(Boolean).join(" ") || null;
      const form = { ...EMPTY_FORM, values: fields, bumpIds, posted: true, ...reply, alert };
      const headers = Object.fromEntries([...Object.entries(retryHeaders(failure)), ...cookies]);
      return respond(render(shown, form), { status: failure.status, headers });
    };
    const deadline = Number(data.get("offer_expires_at") ?? 0);
    if (settings.urgency_timer_enabled && deadline > 0 && deadline + 5 * SECOND < Date.now()) {
      return again({ alert: EXPIRED }, { status: 400 });
    }
    const order = readOrder(fields, {
      name: settings.require_name,
      email: settings.require_email,
      emailConfirmation: settings.require_email_confirmation,
      phone: settings.require_phone,
      document: settings.require_document,
    });
    if (!order.ok) return again({ errors: order.errors }, { status: 400 });
    if (!settings.enable_pix)
      return again({ alert: "Este vendedor não está recebendo pagamentos no momento." }, { status: 503 });
    const placer = await placerOf(request);
    const owned = () => ownsProduct(product.id, order.customer.email, placer.placed);
    if (data.get("again") !== "1" && (await owned())) return again({ owned: true }, { status: 409 });
    try {
      const { saleId } = await placeSale({
        productId: product.id,
        bumpIds: order.bumpIds,
        customer: order.customer,
        ip: clientIp(request),
        campaign: readCampaign(new URL(request.url).searchParams),
        seenCents,
        placer,
      });
      cookies.push(["Set-Cookie", await rememberSale(request, saleId)]);
      await startPix(saleId);
      cookies.push(...Object.entries(await rememberOrder(product.id, fields)));
      return redirect(paths.pix(saleId), { status: 303, headers: cookies });
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
      // What was refused may have changed since the form came: it is shown as it is now.
      return again({ alert: error.message }, toFailure(error, request), await find(params));
    }
  },
});

async function find(params: Params): Promise<Checkout> {
  const ref = productRef(params);
  const checkout = ref && (await findCheckoutTerms(ref));
  if (!checkout) throw notFound(MISSING);
  return checkout;
}

/** The form as it is first shown: where nobody can be paid it says so, and still takes the order. */
async function untouched({ product }: Checkout): Promise<CheckoutForm> {
  return (await canTakePayments(product.sellerId)) ? EMPTY_FORM : { ...EMPTY_FORM, alert: CANNOT_PAY };
}

function render(checkout: Checkout, form: CheckoutForm) {
  const { product, contact } = checkout;
  const { headerHtml, footerHtml, css, scheme } = dressCheckout(checkout);
  const view = { ...checkout, contact, headerHtml, footerHtml, form };
  return renderPage(
    LOOK,
    {
      title: `${product.name} | Finalizar compra`,
      description:
        product.description?.slice(0, 155) || `Compre ${product.name} com PIX, à vista, em página segura.`,
      canonical: env.APP_URL + paths.checkout(product),
      imageUrl: product.imageUrl,
      indexed: true,
      scheme,
      children: <CheckoutPage {...view} />,
    },
    { css },
  );
}
