import { z } from "zod";
import type { DeclineReason } from "#app/db/schema/lists.ts";
import type {
  CreatedCharge,
  KnownCharge,
  ProviderTransaction,
  TransactionState,
} from "#app/domain/gateway/providers/port.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";

/** Ids are in capitals, and notifications may have them in small letters. */
export const orderId = z
  .string()
  .regex(/^[\w-]{5,100}$/)
  .transform((text) => text.toUpperCase());

/** An amount in reais, `"19.90"` or the same as a number, as cents. */
const amount = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^\d{1,8}(\.\d{1,2})?$/))
  .transform((text) => {
    const [reais, cents = ""] = text.split(".");
    return Number(reais) * 100 + Number(cents.padEnd(2, "0"));
  });
const word = z.string().transform((text) => truncate(cleanLine(text).trim().toLowerCase(), 50));

/** Of payments and chargebacks: text or a number. Long numbers are text by then (`parseLongIds`). */
export const numericId = z
  .union([z.string(), z.int()])
  .transform(String)
  .refine((text) => /^[\w-]{1,100}$/.test(text));

const payment = z.object({
  id: numericId,
  amount,
  paid_amount: amount.nullish().catch(null),
  status_detail: word.nullish().catch(null),
  date_of_expiration: z.coerce.date().nullish().catch(null),
  payment_method: z
    .object({
      type: word.nullish().catch(null),
      qr_code: z.string().min(20).nullish().catch(null),
      transaction_security: z
        .object({ url: z.url().max(2000) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
/** What cannot be read of one is null. */
const refund = z
  .object({ amount: amount.nullable().catch(null), status: word.nullable().catch(null) })
  .catch({ amount: null, status: null });
const order = z.object({
  id: orderId,
  status: word,
  status_detail: word.nullish().catch(null),
  external_reference: z.string().max(100).nullish().catch(null),
  transactions: z.object({
    payments: z.array(payment).min(1),
    refunds: z
      .array(refund)
      .nullish()
      .catch([{ amount: null, status: null }]),
    chargebacks: z
      .array(z.object({ id: numericId.nullish().catch(null), case_id: numericId.nullish().catch(null) }))
      .nullish()
      .catch(null),
  }),
});
export type Order = z.infer<typeof order>;

const STATES: Record<string, TransactionState> = {
  created: "open",
  processing: "open",
  action_required: "open",
  in_review: "open",
  processed: "paid",
  canceled: "cancelled",
  // It can never be paid.
  failed: "cancelled",
  expired: "expired",
  refunded: "refunded",
  charged_back: "chargedback",
};

/** Open orders that their buyer may have paid. */
const PROCESSING = ["processing", "in_review"];

/** States that are the detail of an order which stays `processed`. */
const DETAILS: Record<string, TransactionState> = { refunded: "refunded", charged_back: "chargedback" };

const DONE_REFUNDS = ["processed", "refunded", "approved"];
/** A refund in another status, an unknown one too, may still be done. */
const ENDED_REFUNDS = [...DONE_REFUNDS, "failed", "rejected", "canceled", "cancelled"];

/** Reads an order; null where it is none. */
export function readOrder(json: unknown): Order | null {
  const read = order.safeParse(json);
  return read.success ? read.data : null;
}

const foundOrder = z.looseObject({ external_reference: z.string().nullish().catch(null) });

/** The orders of a search, not read yet; null where it is no list. */
export function readOrders(json: unknown): z.infer<typeof foundOrder>[] | null {
  const list = z.object({ data: z.array(foundOrder) }).safeParse(json);
  return list.success ? list.data.data : null;
}

/** The code of an order; null where it has none. */
export function codeOf(order: Order): CreatedCharge | null {
  const [{ payment_method, date_of_expiration }] = order.transactions.payments as [
    Order["transactions"]["payments"][0],
  ];
  const code = payment_method?.qr_code;
  return code ? { providerId: order.id, pixCode: code.trim(), expiresAt: date_of_expiration ?? null } : null;
}

/** Card orders that are not decided yet. */
const UNDECIDED = ["processing", "action_required", "in_review", "created"];
/** The detail of those whose bank waits for the buyer. */
const CHALLENGED = "pending_challenge";

/**
 * What a card's payment that was not approved is for its buyer, by its reason. There are two vocabularies, with the same words: the
 * other one's begin with `rejected_` or `cc_rejected_`.
 */
const DECLINE_REASONS: Record<string, DeclineReason> = {
  bad_filled_card_data: "card-data",
  bad_filled_card_number: "card-data",
  bad_filled_date: "card-data",
  bad_filled_security_code: "card-data",
  bad_filled_other: "card-data",
  invalid_card_token: "card-data",
  card_token_not_found: "card-data",
  insufficient_amount: "limit",
  card_insufficient_amount: "limit",
  amount_limit_exceeded: "limit",
  cc_amount_rate_limit_exceeded: "limit",
  amount_rate_limit_exceeded: "limit",
  by_issuer: "issuer",
  by_bank: "issuer",
  other_reason: "issuer",
  "3ds_mandatory": "challenge-required",
  "3ds_challenge": "challenge-failed",
  "3ds_challenge_expired": "challenge-expired",
  call_for_authorize: "call-issuer",
  required_call_for_authorize: "call-issuer",
  card_disabled: "card-disabled",
  max_attempts: "attempts",
  max_attempts_exceeded: "attempts",
  invalid_installments: "instalments",
  high_risk: "risk",
  blacklist: "risk",
  fraud: "risk",
  card_type_not_allowed: "not-credit",
  by_regulations: "holder-data",
  insufficient_data: "holder-data",
};

function reasonOf(detail: string | null | undefined): DeclineReason | undefined {
  return pick(DECLINE_REASONS, (detail ?? "").replace(/^(cc_)?rejected_/, ""));
}

/** Whether an order is paid by card. @param method of its charge; null where it is not known: then the order's own word decides */
export function isCard({ transactions }: Order, method: KnownCharge["method"] | null): boolean {
  return method === null
    ? transactions.payments[0]!.payment_method?.type === "credit_card"
    : method === "card";
}

/**
 * An order as the port describes it. Paid is only `processed` with `accredited` or a part refunded.
 * @param method as in `isCard`
 */
export function toTransaction(order: Order, method: KnownCharge["method"] | null): ProviderTransaction {
  const { id, status, status_detail, external_reference, transactions } = order;
  const { payments, chargebacks } = transactions;
  const paid = payments[0]!;
  const detail = status_detail ?? "";
  const byCard = isCard(order, method);
  const isContested =
    byCard && (status === "charged_back" || detail === "charged_back" || !!chargebacks?.length);
  const byStatus = (byCard && cardStateOf(status)) || (pick(STATES, status) ?? "unclear");
  const isAccredited = ["accredited", "partially_refunded"].includes(detail);
  const processedState = pick(DETAILS, detail) ?? (isAccredited ? "paid" : "unclear");
  const state = byStatus === "paid" ? processedState : byStatus;
  const refunds = transactions.refunds ?? [];
  const done = refunds.filter((one) => one.status === null || DONE_REFUNDS.includes(one.status));
  const areSomeUnread = done.some((one) => one.amount === null || one.status === null);
  const refundedCents = done.reduce((sum, one) => sum + (one.status === null ? 0 : (one.amount ?? 0)), 0);
  return {
    providerId: id,
    reference: external_reference ?? null,
    // What became of it only the chargeback itself says.
    state: isContested && state !== "refunded" ? "disputed" : state,
    providerStatus: detail && detail !== status ? `${status}/${detail}` : status,
    // A card's paid amount includes the interest of its instalments.
    amountCents: byCard ? paid.amount : (paid.paid_amount ?? paid.amount),
    // An order states no fee; the account's own reports do.
    feeCents: null,
    // Of all of it the sum of what could be read says nothing.
    refundedCents: state === "refunded" && areSomeUnread ? null : refundedCents || null,
    areRefundsUnread: state !== "refunded" && areSomeUnread,
    ...(PROCESSING.includes(status) && { isProcessing: true as const }),
    hasOpenRefunds: refunds.some((one) => one.status !== null && !ENDED_REFUNDS.includes(one.status)),
    webhookUrl: null,
    buyerCents: byCard ? (paid.paid_amount ?? null) : null,
    decline:
      byCard && byStatus === "declined"
        ? {
            reason: reasonOf(paid.status_detail) ?? reasonOf(detail) ?? "other",
            detail: paid.status_detail ?? status,
          }
        : null,
    challenge:
      byCard && byStatus === "in_review" && [detail, paid.status_detail].includes(CHALLENGED)
        ? { url: paid.payment_method?.transaction_security?.url ?? null }
        : null,
  };
}

/** A card that was not approved, whatever ended it, is declined: its buyer can pay the order all the same. */
function cardStateOf(status: string): TransactionState | null {
  if (["failed", "canceled", "expired"].includes(status)) return "declined";
  return UNDECIDED.includes(status) ? "in_review" : null;
}
