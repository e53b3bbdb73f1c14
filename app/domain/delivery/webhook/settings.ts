import { DELIVERY_EVENTS, type DeliveryEvent } from "#app/db/schema/lists.ts";

/** Body formats: ours, or another platform's, for tools that are made for that one. */
export const FORMS = ["standard", "kiwify", "hotmart"] as const;
export type WebhookForm = (typeof FORMS)[number];

/** A webhook's settings. */
export type WebhookSettings = {
  url: string;
  form: WebhookForm;
  /** Whether buyers' CPF or CNPJ is sent. */
  withDocument: boolean;
};

/** The events each format has. */
export const EVENTS_OF_FORM: Record<WebhookForm, readonly DeliveryEvent[]> = {
  standard: DELIVERY_EVENTS,
  kiwify: ["pix.generated", "sale.paid", "sale.refused", "sale.refunded", "sale.chargedback"],
  // Kiwify's orders have a state for it, and no event.
  hotmart: [
    "pix.generated",
    "pix.expired",
    "sale.paid",
    "sale.refused",
    "refund.requested",
    "sale.refunded",
    "sale.disputed",
    "sale.chargedback",
  ],
};

/** A webhook's format. */
export function formOf({ settings }: { settings: unknown }): WebhookForm {
  return (settings as WebhookSettings).form;
}
