import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { loadForPreview } from "#app/domain/catalog/find-for-sale.server.ts";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { previewCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import { buildCheckoutTheme } from "#app/domain/storefront/build-checkout-theme.server.ts";
import { markCheckoutSeen } from "#app/domain/storefront/find-preview-product.server.ts";
import { ownPurchaseLink } from "#app/domain/storefront/own-purchase-link.server.ts";
import { PREVIEW_CSS, PreviewBar } from "#app/routes/seller/products/preview-bar.tsx";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { CheckoutPage } from "#app/ui/buyer/checkout/checkout-page.tsx";
import { type CheckoutForm, EMPTY_FORM } from "#app/ui/buyer/checkout/checkout-view.ts";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const NOTHING_ORDERED = "Isto é uma prévia: nenhum pedido foi feito e nada foi cobrado.";

/**
 * A product's checkout as only its seller sees it, on sale or not, labelled as a preview. It has its own URL, because
 * buyers' pages are the same for everybody and cached.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const page = await show(seller, params.productId, EMPTY_FORM);
    await markCheckoutSeen(seller.id);
    return pageResponse(page);
  });
}

/** Its form can be submitted, but places no order. */
export async function action(args: ActionFunctionArgs) {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const data = await parseFormData(request);
    const typed = [...data].filter(([name]) => name.startsWith("customer_"));
    const bumpIds = data.getAll("order_bumps").map(Number);
    const form = { ...EMPTY_FORM, values: Object.fromEntries(typed), bumpIds, posted: true };
    return pageResponse(await show(seller, params.productId, { ...form, alert: NOTHING_ORDERED }));
  });
}

type Seller = Awaited<ReturnType<typeof requireSeller>>;

async function show(seller: Seller, id: string | undefined, form: CheckoutForm) {
  const { product, active } = await loadForPreview(seller.id, parseProductId(id));
  const checkout = await previewCheckoutTerms(product);
  const { headerHtml, footerHtml, css, scheme } = buildCheckoutTheme(checkout);
  const alert = form.alert ?? (checkout.limits || checkout.product.priceCents === 0 ? null : CANNOT_PAY);
  const view = { ...checkout, headerHtml, footerHtml, form: { ...form, alert: alert } };
  return renderPage(
    BUYER_SHELL,
    {
      title: `Prévia: ${product.name}`,
      script: "form" as const,
      scheme,
      children: (
        <>
          <PreviewBar
            id={product.id}
            active={active}
            purchase={active && checkout.limits ? ownPurchaseLink(seller, product) : null}
          />
          <CheckoutPage {...view} />
        </>
      ),
    },
    { css: [...css, PREVIEW_CSS] },
  );
}
