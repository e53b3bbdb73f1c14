import type { DeliveryEvent } from "#app/db/schema/lists.ts";

/** The webhook form's fields as the page holds them. */
export type WebhookFormFields = {
  name: string;
  url: string;
  form: "standard" | "kiwify" | "hotmart";
  token: string;
  with_document: boolean;
  events: string[];
  scope: "all" | "some";
  products: string[];
};

export const FORM_NAMES = {
  standard: "Checkintelli",
  kiwify: "Compatível com Kiwify",
  hotmart: "Compatível com Hotmart",
} as const;

/** Defaults of a new webhook: the events that most tools need. */
export const USUAL_EVENTS: DeliveryEvent[] = [
  "pix.generated",
  "sale.paid",
  "sale.refunded",
  "sale.chargedback",
];

export type EventChoice = { id: DeliveryEvent; label: string; text: string; forms: string[] };
