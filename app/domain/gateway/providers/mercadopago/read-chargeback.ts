import { z } from "zod";
import type { EvidenceStatus } from "#app/db/schema/lists.ts";
import { numericId } from "#app/domain/gateway/providers/mercadopago/read-order.ts";
import type { ProviderDispute } from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";

/** Their examples write booleans as text, too. */
const flag = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);
const chargeback = z.object({
  id: numericId,
  payments: z.array(z.union([numericId, z.object({ id: numericId }).transform(({ id }) => id)])).catch([]),
  amount: z.coerce.number().positive().max(1e7).nullish().catch(null),
  coverage_applied: flag.nullish().catch(null),
  documentation_required: flag.nullish().catch(null),
  documentation_status: z.string().nullish().catch(null),
  date_documentation_deadline: z.coerce.date().nullish().catch(null),
});
export type Chargeback = z.infer<typeof chargeback>;

const EVIDENCE: Record<string, EvidenceStatus> = {
  pending: "needed",
  review_pending: "in_review",
  valid: "accepted",
  invalid: "rejected",
  not_supplied: "missed",
  not_applicable: "not_needed",
};

/** A chargeback as their API answers it; null where it cannot be read. */
export function readChargeback(json: unknown): Chargeback | null {
  const read = chargeback.safeParse(json);
  return read.success ? read.data : null;
}

/** The same as the port describes it. */
export function disputeOf(read: Chargeback): ProviderDispute {
  return {
    providerId: read.id,
    amountCents: Math.round((read.amount ?? 0) * 100) || null,
    evidence: evidenceOf(read),
    evidenceDueAt: read.date_documentation_deadline ?? null,
  };
}

/** What a chargeback of a refunded payment is for its seller; null where they keep the money: it was refunded afterwards. */
export function contestOf({ coverage_applied: isWon }: Chargeback): "opened" | "lost" | null {
  if (typeof isWon !== "boolean") return "opened";
  return isWon ? null : "lost";
}

function evidenceOf({ documentation_required, documentation_status }: Chargeback): EvidenceStatus | null {
  const status = pick(EVIDENCE, documentation_status ?? "") ?? null;
  const isNothingSent = status === "needed" || status === "missed";
  return documentation_required === false && isNothingSent ? "not_needed" : status;
}
