import { editCustomer, movesEmail } from "#app/domain/access/correction/edit-customer.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";

/**
 * Corrects a sale's buyer for its seller. Another e-mail is counted, by seller and by address: anybody can be a seller, and it is
 * mailed what they wrote.
 * @returns what `editCustomer` does
 * @throws Refusal too-many, and what `editCustomer` throws
 */
export async function editLimitedCustomer(
  request: Request,
  ...correction: Parameters<typeof editCustomer>
): Promise<string> {
  const [sellerId, saleId, { email }] = correction;
  if (await movesEmail(sellerId, saleId, email)) {
    await throttle("edit-customer", request, sellerId);
    await throttle("edit-customer-to", request, email);
  }
  return editCustomer(...correction);
}
