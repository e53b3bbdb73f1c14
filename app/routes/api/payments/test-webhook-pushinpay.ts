import { z } from "zod";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

const payload = z.object({ api_key: z.string().max(500).nullish() });

/** Out to the provider and back to the seller's webhook address: `{success, message}` or `{error}`. */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    const { api_key } = await readJson(request, payload);
    await throttle("outside-call", request, seller.id);
    return { success: true, message: await testWebhook(seller.id, "pushinpay", cleanPasted(api_key ?? "")) };
  },
});
