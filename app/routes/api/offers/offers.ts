import { z } from "zod";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { findOffer } from "#app/domain/offer/find-offer.server.ts";
import { listOffers } from "#app/domain/offer/list-offers.server.ts";
import { newOfferBody } from "#app/domain/offer/offer-form.server.ts";
import { toOfferJson } from "#app/domain/offer/offer-json.server.ts";
import { createOffer } from "#app/domain/offer/save-offer.server.ts";
import { offerAnswer } from "#app/routes/api/offers/answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const params = { productId: "$PRODUCT" };

/** A product's offers. POST creates one. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "As ofertas de um produto, na ordem delas",
      details:
        "O endereço do produto cobra a primeira de tipo tier que está aberta; sem nenhuma, o preço do produto.",
      needs: "read",
      answer: z.array(offerAnswer),
      example: { params },
    },
    async ({ seller, params }) => {
      const owner = { sellerId: seller.id, productId: parseProductId(params.productId) };
      return json((await listOffers(owner)).offers.map(toOfferJson));
    },
  ),
  POST: method(
    {
      summary: "Cria uma oferta, a última na ordem do produto",
      details: "Sem slug, o endereço é sorteado.",
      needs: "settings",
      body: newOfferBody,
      answer: offerAnswer,
      status: 201,
      example: {
        params,
        body: {
          name: "Primeiro lote",
          kind: "tier",
          price: 47,
          original_price: 97,
          ends_at: "2099-12-31T23:59:00-03:00",
          max_units: 50,
        },
      },
    },
    async ({ seller, params, read }) => {
      const owner = { sellerId: seller.id, productId: parseProductId(params.productId) };
      // Another seller's product is a 404, whatever the body contains.
      await listOffers(owner);
      const id = await createOffer(owner, await read());
      return json(toOfferJson(await findOffer(owner, id)), 201);
    },
  ),
});
