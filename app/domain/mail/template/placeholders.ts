import { pick } from "#app/kit/pick.ts";

/** A template's placeholders, with an example of each. Source: spec, entity e-mail template. */
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
export type PlaceholderValues = Record<Placeholder, string>;

const SUBJECT_PLACEHOLDERS = ["product_name", "customer_name", "amount_formatted"] as const;
/** The sender's name has a placeholder of its own for the product. */
const SENDER_PLACEHOLDERS = ["product", ...SUBJECT_PLACEHOLDERS] as const;

/** In a template, this comment is replaced by the table of what was bought. */
export const LINES_MARKER = "<!-- itens -->";

/** Characters of a filled-in mail. Gmail shows a tenth of it; no provider takes forty times as much. */
const MAX_FILLED_LENGTH = 1_000_000;

/** A seller's template that cannot be rendered: a repeated value makes it too long, or a tag without an end hides the access. */
export class TemplateError extends Error {
  constructor() {
    super("the filled-in template is too long, or broken where the access would be");
    this.name = "TemplateError";
  }
}

export const PLACEHOLDER_PATTERN = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}|\{([a-z][a-z0-9_]*)\}/gi;

/** A template's subject with its placeholders replaced. */
export function fillSubject(subject: string, values: PlaceholderValues): string {
  const knownNames: readonly string[] = SUBJECT_PLACEHOLDERS;
  return fillPlaceholders(subject, (name) =>
    knownNames.includes(name) ? (pick(values, name) ?? null) : null,
  );
}

/** The sender's name with `{product}` and the subject's placeholders replaced. */
export function fillSender(name: string, values: PlaceholderValues): string {
  return fillSubject(
    fillPlaceholders(name, (placeholder) => (placeholder === "product" ? values.product_name : null)),
    values,
  );
}

const PLACEHOLDERS_BY_PART: Record<"body" | "subject" | "sender", readonly string[]> = {
  body: Object.keys(BODY_PLACEHOLDERS),
  subject: SUBJECT_PLACEHOLDERS,
  sender: SENDER_PLACEHOLDERS,
};

/** Unknown placeholders as they were typed. Braces of a style sheet are no placeholders. */
export function findUnknownPlaceholders(text: string, part: keyof typeof PLACEHOLDERS_BY_PART): string[] {
  const knownNames = PLACEHOLDERS_BY_PART[part];
  const found = withoutStyles(text).matchAll(PLACEHOLDER_PATTERN);
  const unknown = [...found]
    .filter((match) => !knownNames.includes((match[1] ?? match[2]!).toLowerCase()))
    .map(([written]) => written);
  return [...new Set(unknown)];
}

/** Searches each style sheet's end separately: one pattern for both would search from every beginning to the end. */
function withoutStyles(html: string): string {
  const [first, ...rest] = html.split(/<style/i);
  return first + rest.map(afterStyle).join("");
}

function afterStyle(piece: string): string {
  const [style, ...after] = piece.split(/<\/style>/i);
  return after.length > 0 ? after.join("") : style!;
}

/**
 * @param findValue by name, with the placeholder as it is written and where its value starts
 * @throws TemplateError where it grows too long
 */
export function fillPlaceholders(
  text: string,
  findValue: (name: string, written: string, start: number) => string | null,
): string {
  const pieces: string[] = [];
  let end = 0;
  let length = text.length;
  for (const match of text.matchAll(PLACEHOLDER_PATTERN)) {
    const [written, double, single] = match;
    const start = match.index + length - text.length;
    const value = findValue((double ?? single ?? "").toLowerCase(), written, start) ?? written;
    length += value.length - written.length;
    if (length > MAX_FILLED_LENGTH) throw new TemplateError();
    pieces.push(text.slice(end, match.index), value);
    end = match.index + written.length;
  }
  return pieces.join("") + text.slice(end);
}

/** @throws TemplateError where it grows too long */
export function joinPieces(pieces: string[], between: string): string {
  const length = pieces.reduce((sum, piece) => sum + piece.length + between.length, 0);
  if (length > MAX_FILLED_LENGTH) throw new TemplateError();
  return pieces.join(between);
}
