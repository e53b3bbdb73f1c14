import { findSellerOf } from "#app/domain/storefront/find-seller-of.server.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { notFound } from "#app/kit/refusal.ts";
import { endpoint } from "#app/web/api.server.ts";
import { settingsFields } from "#app/web/customization/fields.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** How a product's thank-you page looks; also for products no longer for sale, since their buyers come back. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como é a página de obrigado de um produto",
      answer: settingsFields(THANK_YOU_DEFAULTS),
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ params }) => {
      const sellerId = await findSellerOf(params.productId ?? "");
      if (!sellerId) throw notFound("Produto não encontrado");
      const { settings } = await findThankYou(sellerId);
      return { ...settings, custom_message: sanitizeHtml(settings.custom_message, "m").html };
    },
  ),
});
