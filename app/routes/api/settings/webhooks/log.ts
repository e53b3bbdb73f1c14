import { z } from "zod";
import { deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { listDeliveries } from "#app/domain/delivery/list-deliveries.server.ts";
import { messageId } from "#app/domain/delivery/webhook/webhook.server.ts";
import { deliveryJson } from "#app/domain/delivery/webhook/webhook-json.ts";
import { showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { CURSORS, readPartCursors, writePartCursor } from "#app/kit/paginate.ts";
import { deliveryAnswer } from "#app/routes/api/settings/webhooks/answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { pageLinks, pageQuery, readLimit } from "#app/server/api/paging.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/**
 * A webhook's past and pending deliveries, newest first, paginated. Bodies contain buyers' data: the `read` scope is not
 * enough.
 */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O que um webhook recebeu, do mais novo ao mais antigo",
      needs: "webhooks",
      query: pageQuery(CURSORS.numberAndPart),
      answer: z.array(deliveryAnswer),
      paged: true,
      example: { params: { webhookId: "$WEBHOOK" }, query: { limit: "2" } },
    },
    async ({ request, seller, params }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      const url = new URL(request.url);
      const page = await listDeliveries(seller.id, id, {
        limit: readLimit(url),
        ...readPartCursors(url.searchParams),
      });
      const items = page.items.map((delivery) =>
        deliveryJson(delivery, {
          messageId: messageId(delivery.id),
          reasonText: deliveryText(delivery).text,
        }),
      );
      return json(items, 200, pageLinks(url, page, writePartCursor));
    },
  ),
});
