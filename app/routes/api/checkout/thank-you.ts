import { z } from "zod";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { refuseOldLink } from "#app/domain/access/refuse-old-link.server.ts";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { findProductSeller, findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { KEY_PARAMETER } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { settingsFields } from "#app/server/customization/settings-fields.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { readProof } from "#app/server/session/proof.server.ts";

const query = z.object({
  sale: z.uuid().optional().meta({
    description:
      "O id de uma venda deste produto. Só com o de uma que dá acesso vêm custom_message e redirect_url, que a página mostra a quem pagou; sem isso vêm vazios",
  }),
  [KEY_PARAMETER]: z.string().optional().meta({
    description: "A chave do link enviado ao comprador: sem ela, a venda cujo e-mail foi corrigido não conta",
  }),
});

/** The design of a product's thank-you page; also for products no longer for sale, since their buyers return. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como é a página de obrigado de um produto",
      query,
      answer: settingsFields(THANK_YOU_DEFAULTS),
      example: { params: { productId: "$PRODUCT" }, query: { sale: "$SALE" } },
    },
    async ({ request, params }) => {
      const sellerId = await findProductSeller(params.productId ?? "");
      if (!sellerId) throw notFound("Produto não encontrado");
      const { settings } = await findThankYou(sellerId);
      const isBuyer = await namesPurchase(request, Number(params.productId));
      if (!isBuyer) return { ...settings, custom_message: "", redirect_url: "" };
      return { ...settings, custom_message: sanitizeHtml(settings.custom_message, "m").html };
    },
  ),
});

/** Whether the request names a purchase of the product that gives access now, by a link that still opens it. */
async function namesPurchase(request: Request, productId: number): Promise<boolean> {
  const purchase = await showPurchase(new URL(request.url).searchParams.get("sale") ?? "");
  if (purchase?.productId !== productId || !hasAccess(purchase)) return false;
  try {
    await refuseOldLink({ ...purchase, id: purchase.saleId }, await readProof(request));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
