import type { ChargeMethod } from "#app/db/schema/lists.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { pick } from "#app/kit/pick.ts";

type Payment = { provider: string; method: ChargeMethod };

/** How long after a payment its provider refunds it, in milliseconds; null for an unknown provider. */
export function findRefundWindow({ provider, method }: Payment): number | null {
  const found = pick(providers, provider);
  if (!found) return null;
  return (method === "card" && found.cards?.refundWindowMs) || found.refunds.windowMs;
}

/** Whether a payment's provider reports disputes of it, so that they are not entered by hand. */
export function reportsDisputes({ provider, method }: Payment): boolean {
  const found = pick(providers, provider);
  return method === "card" ? Boolean(found?.cards?.disputes) : (found?.reportsDisputes ?? false);
}
