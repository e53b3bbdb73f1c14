import { findProductSeller, findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { notFound } from "#app/kit/refusal.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { settingsFields } from "#app/server/customization/settings-fields.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** The design of a product's thank-you page; also for products no longer for sale, since their buyers return. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como é a página de obrigado de um produto",
      answer: settingsFields(THANK_YOU_DEFAULTS),
      example: { params: { productId: "$PRODUCT" } },
    },
    async ({ params }) => {
      const sellerId = await findProductSeller(params.productId ?? "");
      if (!sellerId) throw notFound("Produto não encontrado");
      const { settings } = await findThankYou(sellerId);
      return { ...settings, custom_message: sanitizeHtml(settings.custom_message, "m").html };
    },
  ),
});
