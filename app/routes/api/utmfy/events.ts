import { z } from "zod";
import { showConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { saveEvents } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { eventsBody } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const EVENTS = ["purchase", "chargeback", "refund"] as const;

/** Which events are reported. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Quais eventos são informados à UTMify",
      needs: "read",
      answer: z.array(z.object({ event_type: z.enum(EVENTS), is_enabled: z.boolean() })),
      example: {},
    },
    async ({ seller }) => {
      const { events } = await showConnection(seller.id);
      return EVENTS.map((event_type) => ({ event_type, is_enabled: events[event_type] }));
    },
  ),
  POST: method(
    {
      summary: "Escolhe quais eventos são informados à UTMify",
      details: "O que não é enviado fica como está.",
      needs: "settings",
      body: eventsBody,
      answer: successBody,
      example: { body: { purchase: true, refund: true, chargeback: true } },
    },
    async ({ seller, read }) => {
      await saveEvents(seller.id, await read());
      return { success: true };
    },
  ),
});
