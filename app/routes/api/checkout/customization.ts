import { readProductRef } from "#app/domain/catalog/find-for-sale.server.ts";
import { findCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { sanitizeCss } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { settingsFields } from "#app/server/customization/settings-fields.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/**
 * The design of a product's checkout, by number or slug, with the fields that its orders need; HTML and CSS sanitized, as they
 * are displayed.
 */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como é o checkout de um produto",
      answer: settingsFields(CHECKOUT_DEFAULTS),
      example: { params: { productId: "$PRODUCT", slug: "$SLUG" } },
    },
    async ({ params }) => {
      const ref = readProductRef(params);
      const checkout = ref && (await findCheckoutTerms(ref));
      if (!checkout) throw notFound("Produto não encontrado");
      const { settings } = checkout;
      return {
        ...settings,
        custom_header: sanitizeHtml(settings.custom_header, "h").html,
        custom_footer: sanitizeHtml(settings.custom_footer, "f").html,
        custom_css: sanitizeCss(settings.custom_css),
      };
    },
  ),
});
