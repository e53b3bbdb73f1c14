import { payTerms } from "#app/domain/checkout/pay-terms.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { CHECKOUT } from "#app/domain/storefront/customizations.server.ts";
import { dressCheckout } from "#app/domain/storefront/dress-checkout.server.ts";
import { findPreviewProduct } from "#app/domain/storefront/find-preview-product.server.ts";
import { findStore } from "#app/domain/storefront/store/find-store.server.ts";
import { CheckoutPage } from "#app/ui/buyer/checkout-page.tsx";
import { EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";
import { PreviewDocument } from "#app/ui/seller/preview/document.tsx";
import { endpoint } from "#app/web/api.server.ts";
import { renderPage } from "#app/web/buyer/page.server.tsx";
import { preview } from "#app/web/customization/preview.server.ts";

/** Source: spec §9, preview example. */
const EXAMPLE_CLOCK = "29:45";

/** The checkout as it is saved (GET) or would be with what a form holds (POST), which is not saved. */
export const { loader, action } = endpoint(preview(CHECKOUT, draw));

async function draw(seller: { id: string; name: string; email: string }, settings: CheckoutSettings) {
  const product = await findPreviewProduct(seller);
  const { headerHtml, footerHtml, css, scheme } = dressCheckout({ settings });
  const { notice } = await payTerms(seller.id);
  const store = await findStore(seller.id);
  const view = { product, settings, headerHtml, footerHtml, notice, store, form: EMPTY_FORM };
  return renderPage(
    { Document: PreviewDocument },
    {
      title: "Prévia do checkout",
      scheme,
      children: <CheckoutPage {...view} contact={settings.support_contact} clock={EXAMPLE_CLOCK} />,
    },
    { css },
  );
}
