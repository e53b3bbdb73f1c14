import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { findToPreview } from "#app/domain/catalog/find-for-sale.server.ts";
import { productId } from "#app/domain/catalog/product-id.ts";
import { previewTerms } from "#app/domain/checkout/pay-terms.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import { dressCheckout } from "#app/domain/storefront/dress-checkout.server.ts";
import { firstPurchase } from "#app/domain/storefront/first-purchase.server.ts";
import { noteCheckoutSeen } from "#app/domain/storefront/note-checkout-seen.server.ts";
import { PREVIEW_CSS, PreviewBar } from "#app/routes/seller/products/preview-bar.tsx";
import { CheckoutPage } from "#app/ui/buyer/checkout-page.tsx";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { formOf } from "#app/web/forms.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

const NOTHING_ORDERED = "Isto é uma prévia: nenhum pedido foi feito e nada foi cobrado.";

/**
 * A product's checkout as its seller alone sees it, on sale or not, marked as that. It has an address of its own: buyers'
 * pages are the same for everybody and kept, this one is neither.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const page = await show(seller, params.productId, EMPTY_FORM);
    await noteCheckoutSeen(seller.id);
    return respond(page);
  });
}

/** Its form can be tried, and places nothing. */
export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const data = await formOf(request);
    const typed = [...data].filter(([name]) => name.startsWith("customer_"));
    const bumpIds = data.getAll("order_bumps").map(Number);
    const form = { ...EMPTY_FORM, values: Object.fromEntries(typed), bumpIds, posted: true };
    return respond(await show(seller, params.productId, { ...form, alert: NOTHING_ORDERED }));
  });
}

type Seller = Awaited<ReturnType<typeof requireSeller>>;

async function show(seller: Seller, id: string | undefined, form: CheckoutForm) {
  const { product, active } = await findToPreview(seller.id, productId(id));
  const checkout = await previewTerms(product);
  const { headerHtml, footerHtml, css, scheme } = dressCheckout(checkout);
  const said = form.alert ?? (checkout.limits ? null : CANNOT_PAY);
  const view = { ...checkout, headerHtml, footerHtml, form: { ...form, alert: said } };
  return renderPage(
    LOOK,
    {
      title: `Prévia: ${product.name}`,
      isForm: true,
      scheme,
      children: (
        <>
          <PreviewBar
            id={product.id}
            active={active}
            purchase={active && checkout.limits ? firstPurchase(seller, product) : null}
          />
          <CheckoutPage {...view} />
        </>
      ),
    },
    { css: [...css, PREVIEW_CSS] },
  );
}
