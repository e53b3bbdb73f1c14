import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { EVENTS_OF_FORM, FORMS } from "#app/domain/delivery/webhook/settings.ts";
import type { EventChoice } from "#app/routes/seller/settings/webhooks/fields.ts";
import type { ProductChoice } from "#app/ui/seller/product/products-card.tsx";

/** Options of the webhook form. */
export async function loadChoices(sellerId: string) {
  const codes = await listCodes(sellerId);
  const products: ProductChoice[] = codes
    .filter(({ kind }) => kind === "product")
    .map(({ id, name }) => ({ id: String(id), name }));
  const events: EventChoice[] = DELIVERY_EVENTS.map((id) => ({
    id,
    ...EVENT_TEXTS[id],
    forms: FORMS.filter((form) => EVENTS_OF_FORM[form].includes(id)),
  }));
  return { codes, products, events };
}
