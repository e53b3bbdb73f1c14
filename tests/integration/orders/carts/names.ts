/** What a cart's rows are called in a shop, so that each is found. */
export type CartNames = {
  /** The cart's place in its shop. */
  at: number;
  productName: string;
  bumpNames: string[];
  offerName: string;
  upsellName: string;
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function namesOf(at: number): CartNames {
  const letter = LETTERS[at]!;
  return {
    at,
    productName: `Curso ${letter}`,
    bumpNames: Array.from({ length: 6 }, (_, bump) => `Apostila ${letter}${LETTERS[bump]}`),
    offerName: `Turma ${letter}`,
    upsellName: `Mentoria ${letter}`,
  };
}

export function couponCodes({ at }: CartNames) {
  return { typed: `TEXTO-${LETTERS[at]}`, linked: `LINK-${LETTERS[at]}` };
}

/** `123456` cents as `R$ 1.234,56`, written by hand. */
export function reais(cents: number): string {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ".");
  return `R$ ${whole},${String(cents % 100).padStart(2, "0")}`;
}
