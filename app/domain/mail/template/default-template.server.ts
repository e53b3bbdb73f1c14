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

/** A purchase mail for an order that cost nothing: what its seller left as it is (subject, title, text) speaks of no payment. */
export function forFreeOrder(template: Template): Template {
  const { subject, htmlContent } = template;
  const simple = htmlContent === DEFAULT_TEMPLATE.htmlContent ? DEFAULT_SIMPLE_TEMPLATE : template.simple;
  const free = simple && {
    ...simple,
    ...(simple.title === DEFAULT_SIMPLE_TEMPLATE.title ? { title: FREE_SIMPLE_TEMPLATE.title } : {}),
    ...(simple.text === DEFAULT_SIMPLE_TEMPLATE.text ? { text: FREE_SIMPLE_TEMPLATE.text } : {}),
  };
  return {
    ...template,
    subject: subject === DEFAULT_TEMPLATE.subject ? "Seu acesso: {product_name}" : subject,
    ...(free ? { htmlContent: renderSimpleTemplate(free), simple: free } : {}),
  };
}
