import type { NewsEvent } from "#app/db/schema/lists.ts";

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

/** What a new webhook begins with: what most tools wait for. */
export const USUAL_EVENTS: NewsEvent[] = ["pix.generated", "sale.paid", "sale.refunded", "sale.chargedback"];

export type ProductChoice = { id: string; name: string };
export type EventChoice = { id: NewsEvent; label: string; text: string; forms: string[] };
