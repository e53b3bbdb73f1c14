import { listNews } from "#app/domain/outbox/list-news.server.ts";
import { EVENT_WORDS, tryWords, wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { formatDateTime, formatMoment } from "#app/kit/dates.ts";
import { parseOutside } from "#app/kit/outside-json.ts";

/** A page of what a destination was told. @param nameOf what its receiver knows a message by; left out where by nothing */
export async function loadLog(
  sellerId: string,
  id: string,
  query: URLSearchParams,
  nameOf: (newsId: string) => string = () => "",
) {
  const { items, newer, older } = await listNews(sellerId, id, {
    before: placeIn(query.get("before")),
    after: placeIn(query.get("after")),
  });
  return {
    newer: newer?.place ?? null,
    older: older?.place ?? null,
    items: items.map((news) => ({
      id: news.id,
      messageId: nameOf(news.id),
      event: news.event,
      label: EVENT_WORDS[news.event].label,
      isTest: news.saleId === null,
      saleId: news.saleId,
      status: news.status,
      words: wordsOf(news),
      tries: news.tries.map(({ at, result, status, ms }) => ({
        at: formatMoment(new Date(at)),
        words: tryWords({ result, status }),
        ms,
      })),
      body: news.body && pretty(news.body),
      answer: news.responseBody,
      responseStatus: news.responseStatus,
      cleared: news.cleared,
      createdAt: formatMoment(news.createdAt),
      nextAt: news.status === "queued" && news.nextAt ? formatDateTime(news.nextAt) : null,
    })),
  };
}
export type LogPage = Awaited<ReturnType<typeof loadLog>>;

function placeIn(text: string | null): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** A body with line breaks, for reading. */
function pretty(body: string): string {
  return JSON.stringify(parseOutside(body), null, 2);
}
