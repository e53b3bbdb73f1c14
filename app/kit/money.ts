const brl = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });

/** `123456` cents as `R$ 1.234,56` (with a plain space, so that it can be searched and compared). */
export function formatMoney(cents: number): string {
  return brl.format(cents / 100).replace(/\u00a0/g, " ");
}

/** Cents as the API's BRL number with two decimals: `1990` → `19.9`. */
export function toReais(cents: number): number {
  return cents / 100;
}

/** The same of an amount that may be unknown. */
export function toReaisOrNull(cents: number | null): number | null {
  return cents === null ? null : toReais(cents);
}

/** Cents as a form field's value: `123456` → `1234,56`. */
export function toMoneyField(cents: number | null | undefined): string {
  return cents == null ? "" : (cents / 100).toFixed(2).replace(".", ",");
}

/**
 * Parses an amount as people in Brazil type it, and as programs send it, into integer cents. `19,90` `R$ 1.234,56` `97
 * reais` `1.234` `1234.56` `19.9`, full-width digits and the number `19.9` are understood. A lone dot followed by
 * exactly three digits groups thousands (`1.234` is 1234 reais); anything else is a decimal point.
 * @returns cents, or null if the text is no amount or has more than two decimals
 */
export function parseMoney(input: string | number): number | null {
  const text = typeof input === "number" ? String(input) : stripCurrency(input);
  const decimal = typeof input === "number" ? text : normalize(text);
  if (decimal === null || !/^\d{1,12}(\.\d{1,2})?$/.test(decimal)) return null;
  const [whole = "0", fraction = ""] = decimal.split(".");
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

/** A typed amount without its currency and blanks. */
function stripCurrency(typed: string): string {
  return typed
    .normalize("NFKC")
    .replace(/\s/g, "")
    .replace(/^R\$/i, "")
    .replace(/(?:reais|real)$/i, "");
}

function normalize(text: string): string | null {
  if (text.includes(",")) {
    const grouped = /^(\d{1,3}(\.\d{3})*|\d+),\d{1,2}$/;
    return grouped.test(text) ? text.replace(/\./g, "").replace(",", ".") : null;
  }
  return /^\d{1,3}(\.\d{3})+$/.test(text) ? text.replace(/\./g, "") : text;
}

/**
 * By how much a sum of money changed, without its direction: `12%`. Different sums never read `0%`, and a decrease to more than
 * nothing never reads `100%`.
 * @param before above zero
 */
export function formatChange(now: number, before: number): string {
  const percent = Math.round(Math.abs(now / before - 1) * 100);
  if (percent === 0 && now !== before) return "menos de 1%";
  if (percent === 100 && now > 0 && now < before) return "mais de 99%";
  return `${percent.toLocaleString("pt-BR")}%`;
}
