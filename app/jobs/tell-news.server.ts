import { type Addressed, tellNews as tell } from "#app/domain/outbox/tell-news.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { TELL_NEWS } from "#app/queue/names.ts";

/** Tells a destination what it does not know yet. Here the outbox, which knows no sale, meets what reads one. */
export const tellNews = defineJob<Addressed>(
  TELL_NEWS.name,
  (addressed) => tell(addressed, readNews),
  TELL_NEWS,
);
