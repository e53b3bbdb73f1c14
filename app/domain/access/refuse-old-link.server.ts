import { isPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What in a request shows whose purchase it is for. */
export type AccessProof = {
  /** The sales that were placed in this browser. */
  placedSaleIds: string[];
  /** The key of a mailed link; empty where there is none. */
  key: string;
  /** The e-mail of the buyer portal's session in this browser. Called only where nothing else decides. */
  findPortalEmail: () => Promise<string | null>;
};

/**
 * Whether the visitor reads the mails to this sale's e-mail: shown by the key of a mailed link, or by the e-mail's buyer
 * portal.
 */
export async function isMailReader(
  { id, customerEmail }: Pick<ProtectedSale, "id" | "customerEmail">,
  proof: AccessProof,
): Promise<boolean> {
  if (!customerEmail) return false;
  return isPurchaseKey(proof.key, id, customerEmail) || (await proof.findPortalEmail()) === customerEmail;
}

type ProtectedSale = {
  id: string;
  parentSaleId: string | null;
  customerEmail: string | null;
  emailCorrectedAt: Date | null;
  /** Its buyer had it anonymized, and lost the access with that. */
  isGivenUp: boolean;
};

/** Whether a sale was placed in this browser, or the purchase whose upsell it is. */
export function isPlacedInBrowser(
  { id, parentSaleId }: Pick<ProtectedSale, "id" | "parentSaleId">,
  placedSaleIds: string[],
): boolean {
  return placedSaleIds.includes(id) || (parentSaleId !== null && placedSaleIds.includes(parentSaleId));
}

/**
 * A sale's URL opens the sale until its e-mail was corrected, as the URL may have reached a stranger. From then on it opens in
 * the browser that ordered, by a link mailed to the new e-mail, and in that e-mail's buyer portal. An anonymized sale does
 * not open at all; one that was paid after that, in the browser that ordered.
 * @throws Refusal forbidden (`email_corrected`, `emptied`)
 */
export async function refuseOldLink(sale: ProtectedSale, proof: AccessProof): Promise<void> {
  const { customerEmail, emailCorrectedAt } = sale;
  if (sale.isGivenUp)
    throw anonymizedRefusal("Os dados desta compra foram apagados, e o acesso terminou com eles.");
  if (!emailCorrectedAt || isPlacedInBrowser(sale, proof.placedSaleIds)) return;
  if (await isMailReader(sale, proof)) return;
  if (!customerEmail)
    throw anonymizedRefusal(
      "Os dados desta compra foram apagados. Ela abre só no navegador em que foi feita. Pagou e está em outro? Fale com quem vendeu.",
    );
  throw new Refusal(
    "forbidden",
    // The key may also be of a secret that is gone: then the newest mail that the buyer has is no help.
    "O e-mail desta compra foi corrigido, e este link já não vale. O acesso está em Minhas compras: entre com o e-mail novo. Um link mais novo, enviado a esse e-mail, também abre.",
    undefined,
    undefined,
    "email_corrected",
  );
}

function anonymizedRefusal(message: string): Refusal {
  return new Refusal("forbidden", message, undefined, undefined, "emptied");
}
