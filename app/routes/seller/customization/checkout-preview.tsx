import { payTerms } from "#app/domain/checkout/pay-terms.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { checkoutCustomizationForm } from "#app/domain/storefront/customization-form.server.ts";
import { dressCheckout } from "#app/domain/storefront/dress-checkout.server.ts";
import { findOwnCheckoutSettings } from "#app/domain/storefront/find-own-settings.server.ts";
import { findPreviewProduct } from "#app/domain/storefront/find-preview-product.server.ts";
import { readUnfinished } from "#app/domain/storefront/read-settings.server.ts";
import { tidyCheckout } from "#app/domain/storefront/tidy-settings.server.ts";
import { CheckoutPage } from "#app/ui/buyer/checkout-page.tsx";
import { EMPTY_FORM } from "#app/ui/buyer/checkout-view.ts";
import { PreviewDocument } from "#app/ui/seller/preview/document.tsx";
import { endpoint } from "#app/web/api.server.ts";
import { renderPage } from "#app/web/buyer/page.server.tsx";
import { previewReply } from "#app/web/buyer/preview-reply.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { postedForm } from "#app/web/forms.server.ts";
import { drawPreview, throttlePreview } from "#app/web/limits/draw-preview.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

/** Source: spec §9, preview example. */
const EXAMPLE_CLOCK = "29:45";

/** The checkout as it is saved (GET) or would be with what a form holds (POST), which is not saved. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => {
    const seller = await requireSeller(request);
    const { settings } = await findOwnCheckoutSettings(seller.id);
    return previewReply(request, await draw(seller, settings));
  },
  POST: async ({ request }) => {
    const seller = await requireSeller(request);
    await throttlePreview(request, seller.id);
    const given = Object.fromEntries(await postedForm(request, SELLERS_BODY));
    const saved = await findOwnCheckoutSettings(seller.id);
    return drawPreview(async () => {
      const { settings, removed } = tidyCheckout(
        readUnfinished(checkoutCustomizationForm, saved.settings, given),
      );
      return previewReply(request, await draw(seller, settings), { removed });
    });
  },
});

async function draw(seller: { id: string; name: string; email: string }, settings: CheckoutSettings) {
  const product = await findPreviewProduct(seller);
  const { headerHtml, footerHtml, css, scheme } = dressCheckout({ settings });
  const { notice } = await payTerms(seller.id);
  const view = { product, settings, headerHtml, footerHtml, notice, form: EMPTY_FORM };
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
