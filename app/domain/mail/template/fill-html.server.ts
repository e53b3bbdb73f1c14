import { type FilledValue, findHidden } from "#app/domain/mail/template/hidden-values.server.ts";
import {
  fillPlaceholders,
  joinPieces,
  LINES_MARKER,
  PLACEHOLDER_PATTERN,
  type PlaceholderValues,
} from "#app/domain/mail/template/placeholders.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { pick } from "#app/kit/pick.ts";

/** A buyer's data, and the link with the purchase's key: filled in only where they are read, see `findHidden`. */
const OF_BUYER: readonly string[] = [
  "customer_name",
  "customer_email",
  "product_file_url",
  "transaction_id",
  "purchase_number",
];

/**
 * A template's HTML with its placeholders, `{name}` or `{{name}}` in any case, replaced by escaped values; unknown and hidden ones
 * stay.
 * @throws TemplateError where it grows too long
 */
export function fillHtml(html: string, values: PlaceholderValues, linesHtml: string): string {
  const ofBuyer: FilledValue[] = [];
  const all = fillPlaceholders(html, (name, written, start) => {
    const value = escapeValue(pick(values, name));
    if (value && OF_BUYER.includes(name)) ofBuyer.push({ name, written, start, end: start + value.length });
    return value;
  });
  const filled = takeBack(all, findHidden(all, ofBuyer));
  const mended = mendAddress(filled, escapeHtml(values.product_file_url));
  return joinPieces(mended.split(LINES_MARKER), linesHtml);
}

/** Editors put a scheme before an address that is a placeholder; and behind it a seller's parameters follow its own. */
function mendAddress(html: string, address: string): string {
  const whole = html.split(`https://${address}`).join(address).split(`http://${address}`).join(address);
  if (!address.includes("?")) return whole;
  const [first, ...rest] = whole.split(`${address}?`);
  return first + rest.map((piece) => address + (/^\w/.test(piece) ? "&amp;" : "?") + piece).join("");
}

/** Puts placeholders back in place of their values. */
function takeBack(html: string, hidden: FilledValue[]): string {
  const from = (at: number) => hidden[at - 1]?.end ?? 0;
  const pieces = hidden.map(({ start, written }, at) => html.slice(from(at), start) + written);
  return pieces.join("") + html.slice(from(hidden.length));
}

function escapeValue(value: string | undefined): string | null {
  return value === undefined ? null : escapeHtml(value);
}

/** Placeholders of a buyer's data, as they were typed, that are not filled in: see `findHidden`. */
export function findHiddenPlaceholders(html: string): string[] {
  const found = [...html.matchAll(PLACEHOLDER_PATTERN)].map((match): FilledValue => {
    const [written, double, single] = match;
    const name = (double ?? single!).toLowerCase();
    return { name, written, start: match.index, end: match.index + written.length };
  });
  const hidden = findHidden(
    html,
    found.filter(({ name }) => OF_BUYER.includes(name)),
  );
  return [...new Set(hidden.map(({ written }) => written))];
}
