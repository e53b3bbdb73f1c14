import type { STATEMENT_KINDS } from "#app/db/schema/lists.ts";

/**
 * Columns of the report "Dinheiro em conta" (settlement_report) that are read. Source: Mercado Pago's glossary of it
 * (devsite-docs `guides/additional-content/reports/account-money/glossary.pt.md`) and the example in `api.pt.md`. Names: sure.
 */
export const COLUMNS = {
  /** Ours, in a refund's line as well, unless the seller's own settings of reports say `refund_detailed`. */
  reference: "EXTERNAL_REFERENCE",
  /** The payment's, in its refunds, too (seen in integrators' files: fairly sure). */
  sourceId: "SOURCE_ID",
  type: "TRANSACTION_TYPE",
  /** Gross, negative where it leaves the account. */
  amount: "TRANSACTION_AMOUNT",
  /** Negative where charged: processing, financing and shipping, as far as the seller pays them. */
  fee: "FEE_AMOUNT",
  net: "SETTLEMENT_NET_AMOUNT",
  /** When it was approved. */
  at: "TRANSACTION_DATE",
  /** When it entered or left the account; of a refund, `TRANSACTION_DATE` may be its payment's (a guess). */
  settledAt: "SETTLEMENT_DATE",
  releaseAt: "MONEY_RELEASE_DATE",
} as const;

/** Without these nothing can be compared. The seller's own settings of reports decide which there are. */
export const REQUIRED = [
  COLUMNS.reference,
  COLUMNS.sourceId,
  COLUMNS.type,
  COLUMNS.amount,
  COLUMNS.at,
] as const;

/**
 * `TRANSACTION_TYPE` of lines that are about a payment. A dispute blocks its amount. The cancellations' names are a guess; the
 * signs of amounts are seen in integrators' files. Withdrawals and transfers are left out.
 */
export const KINDS: Record<string, (typeof STATEMENT_KINDS)[number]> = {
  SETTLEMENT: "payment",
  REFUND: "refund",
  REFUND_CANCEL: "refund",
  CHARGEBACK: "chargeback",
  CHARGEBACK_CANCEL: "chargeback",
  DISPUTE: "chargeback",
  DISPUTE_CANCEL: "chargeback",
};

/** The zone of dates without one: the report's default. */
export const DEFAULT_ZONE = "-04:00";

/** States of a requested report: `processed` is observed, the others are named in Mercado Pago's documentation. */
export const READY = ["processed", "available", "done", "ready"];
export const FAILED = ["failed", "error", "deleted", "canceled", "cancelled", "expired"];

/** The settings that an account without any gets: without them it makes no reports. `frequency` is required, and schedules nothing. */
export const SETTINGS = {
  ...{ file_name_prefix: "checkintelli", display_timezone: "GMT-03", separator: ";" },
  ...{ include_withdraw: false, refund_detailed: false, show_chargeback_cancel: true },
  ...{ show_fee_prevision: false, coupon_detailed: false, shipping_detail: false },
  frequency: { hour: 0, type: "monthly", value: 1 },
  columns: Object.values(COLUMNS).map((key) => ({ key })),
};
