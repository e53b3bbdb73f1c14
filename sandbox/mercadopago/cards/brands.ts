/** A payment method of cards. `prefixes`: how their numbers begin; numbers have `length` digits. */
export interface Brand {
  id: "visa" | "master" | "amex" | "elo" | "hipercard";
  name: string;
  type: "credit_card" | "debit_card";
  prefixes: string[];
  length: number;
  codeLength: number;
}

/** Mercado Pago's test cards and some more; a longer prefix comes first. */
const BRANDS: Brand[] = [
  brand("elo", "Elo Débito", ["506776"], { type: "debit_card" }),
  brand("elo", "Elo", ["636297", "650516", "509042"]),
  brand("hipercard", "Hipercard", ["606282"]),
  brand("amex", "American Express", ["34", "37"], { length: 15, codeLength: 4 }),
  brand("master", "Mastercard", ["503143", "51", "52", "53", "54", "55"]),
  brand("visa", "Visa", ["4"]),
];

export const CREDIT_BRANDS = BRANDS.filter(({ type }) => type === "credit_card");

/** The brand of a number's first six digits at least. */
export function brandOf(digits: string): Brand | undefined {
  if (!/^\d{6,19}$/.test(digits)) return undefined;
  return BRANDS.find(({ prefixes }) => prefixes.some((prefix) => digits.startsWith(prefix)));
}

/** Whether a number's last digit fits the others (Luhn). */
export function hasValidCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function brand(id: Brand["id"], name: string, prefixes: string[], other: Partial<Brand> = {}): Brand {
  return { ...{ id, name, type: "credit_card", prefixes, length: 16, codeLength: 3 }, ...other };
}
