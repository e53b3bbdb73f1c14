import { escapeHtml } from "#app/kit/html.ts";
import { pick } from "#app/kit/pick.ts";

/** What a template may name, with an example of each. Source: spec, entity e-mail template. */
export const BODY_PLACEHOLDERS = {
  customer_name: "Maria Silva",
  customer_email: "maria@exemplo.com.br",
  product_name: "Curso de Violão",
  product_description: "Do zero às primeiras músicas em oito semanas",
  product_file_url: "https://exemplo.com.br/minha-compra",
  amount_formatted: "R$ 97,00",
  transaction_id: "9c29870c-9f69-4bb6-90d3-2dce9453bb45",
  purchase_number: "9C29870C",
  purchase_date: "21/11/2026 10:30",
  current_year: "2026",
  brand_name: "Escola de Violão",
  button_color: "#15803d",
  button_text_color: "#ffffff",
} as const;

type Placeholder = keyof typeof BODY_PLACEHOLDERS;
export type Values = Record<Placeholder, string>;

const SUBJECT_PLACEHOLDERS = ["product_name", "customer_name", "amount_formatted"] as const;
/** The sender's name knows the product by a name of its own too. */
const SENDER_PLACEHOLDERS = ["product", ...SUBJECT_PLACEHOLDERS] as const;

/** Where this comment stands in a template, the table of what was bought goes. */
export const LINES_MARKER = "<!-- itens -->";

/** Characters of a filled-in mail. Gmail shows a tenth of it; no provider takes forty times as much. */
const LONGEST = 1_000_000;

/** A seller's template that makes no mail: a value repeated until it is too long to be sent. */
export class TemplateError extends Error {
  constructor() {
    super("the filled-in template is too long");
    this.name = "TemplateError";
  }
}

const PATTERN = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}|\{([a-z][a-z0-9_]*)\}/gi;

/**
 * A template's HTML with its placeholders, `{name}` or `{{name}}`, replaced by escaped values; unknown ones stay.
 * @throws TemplateError where it grows too long
 */
export function fillHtml(html: string, values: Values, linesHtml: string): string {
  const filled = fill(html, (name) => escaped(pick(values, name)));
  return join(filled.split(LINES_MARKER), linesHtml);
}

function escaped(value: string | undefined): string | null {
  return value === undefined ? null : escapeHtml(value);
}

/** A template's subject with its placeholders replaced. */
export function fillSubject(subject: string, values: Values): string {
  const known: readonly string[] = SUBJECT_PLACEHOLDERS;
  return fill(subject, (name) => (known.includes(name) ? (pick(values, name) ?? null) : null));
}

/** The sender's name with `{product}` and the subject's placeholders replaced. */
export function fillSender(name: string, values: Values): string {
  return fillSubject(
    fill(name, (word) => (word === "product" ? values.product_name : null)),
    values,
  );
}

const KNOWN: Record<"body" | "subject" | "sender", readonly string[]> = {
  body: Object.keys(BODY_PLACEHOLDERS),
  subject: SUBJECT_PLACEHOLDERS,
  sender: SENDER_PLACEHOLDERS,
};

/** Placeholders that nothing will replace, as they were typed. Braces of a style sheet are no placeholders. */
export function unknownPlaceholders(text: string, part: keyof typeof KNOWN): string[] {
  const known = KNOWN[part];
  const found = withoutStyles(text).matchAll(PATTERN);
  const unknown = [...found]
    .filter((match) => !known.includes(match[1] ?? match[2]!))
    .map(([typed]) => typed);
  return [...new Set(unknown)];
}

/** Each style sheet is looked for its own end: one pattern for both would look from every beginning to the end. */
function withoutStyles(html: string): string {
  const [first, ...rest] = html.split(/<style/i);
  return first + rest.map(afterStyle).join("");
}

function afterStyle(piece: string): string {
  const [style, ...after] = piece.split(/<\/style>/i);
  return after.length > 0 ? after.join("") : style!;
}

function fill(text: string, lookUp: (name: string) => string | null): string {
  const pieces: string[] = [];
  let end = 0;
  let length = text.length;
  for (const match of text.matchAll(PATTERN)) {
    const [typed, double, single] = match;
    const value = lookUp(double ?? single ?? "") ?? typed;
    length += value.length - typed.length;
    if (length > LONGEST) throw new TemplateError();
    pieces.push(text.slice(end, match.index), value);
    end = match.index + typed.length;
  }
  return pieces.join("") + text.slice(end);
}

function join(pieces: string[], between: string): string {
  const length = pieces.reduce((sum, piece) => sum + piece.length + between.length, 0);
  if (length > LONGEST) throw new TemplateError();
  return pieces.join(between);
}
