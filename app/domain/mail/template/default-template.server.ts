import type { SimpleTemplate } from "#app/db/schema/mail-settings.server.ts";
import {
  DEFAULT_SIMPLE_TEMPLATE,
  FREE_SIMPLE_TEMPLATE,
  renderSimpleTemplate,
} from "#app/domain/mail/template/simple-template.server.ts";

/** A seller's purchase mail. `simple` is what its HTML was made from; null where the HTML itself was written. */
export type Template = {
  senderName: string;
  senderEmail: string;
  subject: string;
  htmlContent: string;
  simple: SimpleTemplate | null;
};

/** The purchase mail until a seller writes their own. */
export const DEFAULT_TEMPLATE: Template = {
  senderName: "{product}",
  senderEmail: "",
  subject: "Sua compra foi aprovada: {product_name}",
  htmlContent: renderSimpleTemplate(DEFAULT_SIMPLE_TEMPLATE),
  simple: DEFAULT_SIMPLE_TEMPLATE,
};

/** The same of an order that cost nothing. */
export const FREE_TEMPLATE: Template = {
  ...DEFAULT_TEMPLATE,
  subject: "Seu acesso: {product_name}",
  htmlContent: renderSimpleTemplate(FREE_SIMPLE_TEMPLATE),
  simple: FREE_SIMPLE_TEMPLATE,
};
