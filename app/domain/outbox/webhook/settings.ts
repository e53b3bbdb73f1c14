import { NEWS_EVENTS, type NewsEvent } from "#app/db/schema/lists.ts";

/** What bodies are shaped like: ours, or as another platform's, so that a tool connected to that one takes them. */
export const FORMS = ["standard", "kiwify", "hotmart"] as const;
export type WebhookForm = (typeof FORMS)[number];

/** What a webhook keeps. */
export type WebhookSettings = {
  url: string;
  form: WebhookForm;
  /** Whether buyers' CPF or CNPJ is sent. */
  withDocument: boolean;
};

/** The events each form has a word for. */
export const EVENTS_OF: Record<WebhookForm, readonly NewsEvent[]> = {
  standard: NEWS_EVENTS,
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
