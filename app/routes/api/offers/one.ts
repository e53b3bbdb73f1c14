import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { deleteOffer } from "#app/domain/offer/arrange-offers.server.ts";
import { findOffer } from "#app/domain/offer/find-offer.server.ts";
import { offerBody } from "#app/domain/offer/offer-form.server.ts";
import { toOfferJson } from "#app/domain/offer/offer-json.server.ts";
import { updateOffer } from "#app/domain/offer/save-offer.server.ts";
import { offerAnswer } from "#app/routes/api/offers/answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const params = { productId: "$PRODUCT", offerId: "$OFFER" };

/** One offer. PUT replaces its fields; `kind`, `is_active`, `slug` and `content_item_ids` are unchanged if left out. */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "Uma oferta", needs: "read", answer: offerAnswer, versioned: true, example: { params } },
    async ({ seller, params }) =>
      toOfferJson(await findOffer(ownerOf(seller.id, params.productId), params.offerId!)),
  ),
  PUT: method(
    {
      summary: "Substitui os dados de uma oferta; as unidades vendidas ficam",
      details:
        "kind, is_active, slug e content_item_ids ficam como estão quando não são enviados; os outros campos que faltam ficam sem valor. Pedidos já feitos mantêm o preço.",
      needs: "settings",
      body: offerBody,
      answer: offerAnswer,
      versioned: true,
      example: {
        params,
        body: { name: "Pacote para equipes", price: 80, min_quantity: 5, max_quantity: 100 },
      },
    },
    async ({ seller, params, readVersioned }) => {
      const owner = ownerOf(seller.id, params.productId);
      // Another seller's offer is a 404, whatever the body contains.
      const { id } = await findOffer(owner, params.offerId!);
      const { fields, version } = await readVersioned();
      await updateOffer(owner, id, fields, version);
      return toOfferJson(await findOffer(owner, id));
    },
  ),
  DELETE: method(
    {
      summary: "Apaga uma oferta; as vendas feitas com ela ficam",
      needs: "settings",
      answer: successBody,
      conditional: true,
      example: { params },
    },
    async ({ seller, params, ifMatch }) => {
      await deleteOffer(ownerOf(seller.id, params.productId), params.offerId!, ifMatch);
      return { success: true };
    },
  ),
});

function ownerOf(sellerId: string, productId: string | undefined) {
  return { sellerId, productId: parseProductId(productId) };
}
