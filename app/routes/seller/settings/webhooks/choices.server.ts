import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import { EVENT_WORDS } from "#app/domain/outbox/news-words.server.ts";
import { listCodes } from "#app/domain/outbox/webhook/list-codes.server.ts";
import { EVENTS_OF, FORMS } from "#app/domain/outbox/webhook/settings.ts";
import type { EventChoice, ProductChoice } from "#app/routes/seller/settings/webhooks/fields.ts";

/** What the webhook form lets choose from. */
export async function loadChoices(sellerId: string) {
  const codes = await listCodes(sellerId);
  const products: ProductChoice[] = codes
    .filter(({ kind }) => kind === "product")
    .map(({ id, name }) => ({ id: String(id), name }));
  const events: EventChoice[] = NEWS_EVENTS.map((id) => ({
    id,
    ...EVENT_WORDS[id],
    forms: FORMS.filter((form) => EVENTS_OF[form].includes(id)),
  }));
  return { codes, products, events };
}
