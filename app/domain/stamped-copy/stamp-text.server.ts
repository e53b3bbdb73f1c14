import type { StampText } from "#app/platform/pdf/render-stamp.server.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

type Sale = { id: string; customerName: string | null; customerEmail: string | null };

/** The footer of each page. Only the beginning of the sale's id: the whole id opens the purchase. */
export function stampText({ id, customerName, customerEmail }: Sale): StampText {
  const order = `pedido ${id.slice(0, 8)}`;
  const after = customerEmail ? `${customerEmail} · ${order}` : order;
  return { before: "Licenciado para", name: customerName ?? "", after };
}

/** An example of it. */
export const SAMPLE_TEXT: StampText = {
  before: "Licenciado para",
  name: "Nome de quem compra",
  after: "email@exemplo.com.br · pedido 00000000",
};

/** Differs where any part of the text differs. */
export function textKey(text: StampText): string {
  return hashToken(JSON.stringify(text));
}
