import { claimNews, type TakenNews } from "#app/domain/outbox/telling/claim-news.server.ts";
import { tellNews } from "#app/domain/outbox/telling/tell-news.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { NEWS } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";

/** Tells destinations what they do not know yet. Here the outbox, which knows no sale, meets what reads one. */
export const news = definePump<TakenNews>({
  name: NEWS,
  atOnce: 40,
  every: SECOND,
  claim: claimNews,
  handle: async (taken) => ((await tellNews(taken, readNews)) ? 0 : undefined),
  about: (taken) => ({ newsId: taken.news.id, destinationId: taken.destination.id }),
  request: (taken) => taken.news.requestId,
});
