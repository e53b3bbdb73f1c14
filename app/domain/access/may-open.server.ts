import { isPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What a request brings along that shows whose purchase it asks for. */
export type Proof = {
  /** The sales that were placed in this browser. */
  placed: string[];
  /** The key of a mailed link; empty where there is none. */
  key: string;
  /** The e-mail whose purchases are open in this browser. Asked only where nothing else tells. */
  mailbox: () => Promise<string | null>;
};

type Sale = {
  id: string;
  parentSaleId: string | null;
  customerEmail: string | null;
  emailCorrectedAt: Date | null;
  /** Its buyer had their data emptied, and gave it up with that. */
  isGivenUp: boolean;
};

/** Whether a sale was placed in this browser, or the purchase that it was an offer of. */
export function isPlacedHere(
  { id, parentSaleId }: Pick<Sale, "id" | "parentSaleId">,
  placed: string[],
): boolean {
  return placed.includes(id) || (parentSaleId !== null && placed.includes(parentSaleId));
}

/**
 * Whoever holds a sale's address holds the sale, until its e-mail was corrected: the address may have gone to a stranger.
 * From then on it opens in the browser that ordered, by a link mailed to the new e-mail, and in that one's place.
 * What was emptied opens nowhere; what was paid for after that, in the browser that ordered.
 * @throws Refusal forbidden (`email_corrected`, `emptied`)
 */
export async function refuseOldLink(sale: Sale, proof: Proof): Promise<void> {
  const { id, customerEmail, emailCorrectedAt } = sale;
  if (sale.isGivenUp)
    throw noLongerTheirs("Os dados desta compra foram apagados, e o acesso terminou com eles.");
  if (!emailCorrectedAt || isPlacedHere(sale, proof.placed)) return;
  if (customerEmail && isPurchaseKey(proof.key, id, customerEmail)) return;
  if (customerEmail && (await proof.mailbox()) === customerEmail) return;
  if (!customerEmail)
    throw noLongerTheirs("Os dados desta compra foram apagados. Ela abre só no navegador em que foi feita.");
  throw new Refusal(
    "forbidden",
    "O e-mail desta compra foi corrigido, e os links de antes deixaram de valer. O acesso está no e-mail novo e em Minhas compras.",
    undefined,
    undefined,
    "email_corrected",
  );
}

function noLongerTheirs(message: string): Refusal {
  return new Refusal("forbidden", message, undefined, undefined, "emptied");
}
