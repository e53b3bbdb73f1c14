import type { StampWords } from "#app/platform/pdf/stamp.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

type Sale = { id: string; customerName: string | null; customerEmail: string | null };

/** What stands at the foot of each page. Of the sale's id its beginning: whoever has all of it has the purchase. */
export function stampWords({ id, customerName, customerEmail }: Sale): StampWords {
  const order = `pedido ${id.slice(0, 8)}`;
  const after = customerEmail ? `${customerEmail} · ${order}` : order;
  return { before: "Licenciado para", name: customerName ?? "", after };
}

/** The same of a buyer that is none. */
export const SAMPLE_WORDS: StampWords = {
  before: "Licenciado para",
  name: "Nome de quem compra",
  after: "email@exemplo.com.br · pedido 00000000",
};

/** Another one where any of the words is another. */
export function wordsKey(words: StampWords): string {
  return hashToken(JSON.stringify(words));
}
