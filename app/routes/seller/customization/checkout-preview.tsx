import { previewCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { buildCheckoutTheme } from "#app/domain/storefront/build-checkout-theme.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { CHECKOUT_CUSTOMIZATION } from "#app/domain/storefront/customizations.server.ts";
import { findPreviewProduct } from "#app/domain/storefront/find-preview-product.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { previewEndpoint } from "#app/server/customization/preview-endpoint.server.ts";
import { renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { CheckoutPage } from "#app/ui/buyer/checkout/checkout-page.tsx";
import { EMPTY_FORM } from "#app/ui/buyer/checkout/checkout-view.ts";
import { PreviewDocument } from "#app/ui/seller/preview/document.tsx";

/** What the urgency countdown shows in the preview. */
const EXAMPLE_COUNTDOWN = "29:45";

/** The checkout as saved (GET) or with a form's unsaved values (POST). */
export const { loader, action } = endpoint(previewEndpoint(CHECKOUT_CUSTOMIZATION, renderPreview));

async function renderPreview(
  seller: { id: string; name: string; email: string },
  settings: CheckoutSettings,
) {
  const product = await findPreviewProduct(seller);
  const { headerHtml, footerHtml, css, scheme } = buildCheckoutTheme({ settings });
  const terms = await previewCheckoutTerms(product, settings);
  const view = { ...terms, headerHtml, footerHtml, form: EMPTY_FORM };
  return renderPage(
    { Document: PreviewDocument },
    {
      title: "Prévia do checkout",
      scheme,
      children: (
        <CheckoutPage {...view} contact={settings.support_contact} exampleCountdown={EXAMPLE_COUNTDOWN} />
      ),
    },
    { css },
  );
}
