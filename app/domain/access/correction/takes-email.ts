import type { OrderedSale } from "#app/domain/sale/lock-order.server.ts";

type Anonymizable = Pick<OrderedSale, "customerEmail" | "anonymizedAt" | "completedAt">;

/** The same as `isForfeitedSql`, for loaded rows. */
export function isForfeited({ customerEmail, anonymizedAt, completedAt }: Anonymizable): boolean {
  return !customerEmail && anonymizedAt !== null && completedAt !== null && completedAt <= anonymizedAt;
}

/** It was anonymized before anybody paid: an e-mail would stay for ever. Once it is paid late, it may be given one. */
export function isLeftAnonymous({ customerEmail, anonymizedAt, completedAt }: Anonymizable): boolean {
  return !customerEmail && anonymizedAt !== null && completedAt === null;
}

/** Whether a sale may be given an e-mail, by its buyer or its seller. */
export function takesEmail(sale: Anonymizable): boolean {
  return !isForfeited(sale) && !isLeftAnonymous(sale);
}
