import { describeInstalments, listOrderInstalments } from "#app/domain/card/list-instalments.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";

/**
 * For the card page's script: brand and instalments of the card that begins with these 8 digits. The brand is null for what is
 * no credit card, and empty where the provider did not answer.
 */
export const { loader, action } = endpoint({
  GET: async ({ request, params }) => {
    const bin = new URL(request.url).searchParams.get("bin") ?? "";
    if (!/^\d{8}$/.test(bin)) throw new Refusal("invalid", "Envie os 8 primeiros dígitos do cartão", "bin");
    const saleId = params.saleId ?? "";
    await throttle("card-brand", request, saleId);
    const found = await listOrderInstalments(saleId, bin);
    return Response.json(
      found
        ? { brand: found.brand, instalments: describeInstalments(found) }
        : { brand: null, instalments: [] },
    );
  },
});
