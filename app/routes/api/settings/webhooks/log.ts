import { z } from "zod";
import { listNews } from "#app/domain/outbox/list-news.server.ts";
import { wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { showWebhook } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import { messageId } from "#app/domain/outbox/webhook/webhook.server.ts";
import { newsJson } from "#app/domain/outbox/webhook/webhook-json.ts";
import { newsAnswer } from "#app/routes/api/settings/webhooks/answers.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { pageLinks, pageQuery, readLimit } from "#app/web/paging.server.ts";

/** What a webhook was told and is to be, newest first, by pages. Its bodies speak of buyers: reading alone is not enough. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O que um webhook recebeu, do mais novo ao mais antigo",
      needs: "webhooks",
      query: pageQuery,
      answer: z.array(newsAnswer),
      paged: true,
      example: { params: { webhookId: "$WEBHOOK" }, query: { limit: "2" } },
    },
    async ({ request, seller, params }) => {
      const { id } = await showWebhook(seller.id, params.webhookId ?? "");
      const url = new URL(request.url);
      const [before, after] = ["before", "after"].map((name) => placeIn(url.searchParams.get(name)));
      const page = await listNews(seller.id, id, { limit: readLimit(url), before, after });
      const items = page.items.map((news) =>
        newsJson(news, { messageId: messageId(news.id), words: wordsOf(news).text }),
      );
      const [newer, older] = [page.newer?.place ?? null, page.older?.place ?? null];
      return json(items, 200, pageLinks(url, { newer, older }, String));
    },
  ),
});

/** A place in a log; null where none is named. */
function placeIn(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
