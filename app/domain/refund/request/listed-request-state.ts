import type { RefundAnswer, RefundRequestKind } from "#app/db/schema/lists.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * A request's state for its seller. `waiting` for their answer; `erased`: its buyer was anonymized before they answered, so that
 * nobody waits; `declined` by them; `requested` from the provider;
 * `on-its-way`: accepted by it; `unconfirmed`: it never confirmed the newest attempt; `failing`: refused by it, with another attempt
 * scheduled; `by-hand`: the seller has to return the money outside the provider; `disputed`: the bank decides first; `back`:
 * refunded; `contested`: returned by the bank.
 */
export type ListedRequestState =
  | "waiting"
  | "erased"
  | "declined"
  | "requested"
  | "on-its-way"
  | "unconfirmed"
  | "failing"
  | "by-hand"
  | "disputed"
  | "back"
  | "contested";

/** What a request's state follows from. */
type RequestFacts = {
  status: SaleStatus;
  /** The refund that is at the provider, and whether it was accepted. */
  refundInFlight: "requested" | "on-its-way" | null;
  /** Whether the newest refund was never confirmed. */
  isUnconfirmed: boolean;
  kind: RefundRequestKind;
  answer: RefundAnswer | null;
  failedAt: Date | null;
  nextAttemptAt: Date | null;
  isErased: boolean;
};

/** The state of a request, from its row and its sale. */
export function listedRequestState({
  status,
  refundInFlight,
  isUnconfirmed,
  kind,
  answer,
  failedAt,
  nextAttemptAt,
  isErased,
}: RequestFacts): ListedRequestState {
  if (status === "refunded") return "back";
  if (status === "chargedback") return "contested";
  if (refundInFlight) return refundInFlight;
  if (status === "disputed") return "disputed";
  if (answer === "declined") return "declined";
  if (kind === "question" && !answer) return isErased ? "erased" : "waiting";
  // Not by its text, which an anonymization removes.
  if (failedAt && !nextAttemptAt) return "by-hand";
  // Also after an earlier refusal: the seller may pay twice who takes it for refused.
  if (isUnconfirmed) return "unconfirmed";
  return failedAt ? "failing" : "requested";
}
