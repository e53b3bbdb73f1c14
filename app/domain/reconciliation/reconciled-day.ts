/** Our payments of a São Paulo day, and what their providers say. Money in cents: received less refunded less fee is net. */
export type ReconciledDay = ReconciledSums & { day: string };

/** The sums of one day or several. */
export type ReconciledSums = {
  /** Sales paid on this day, and all payments received: overpayments and amount mismatches count there, too. */
  sales: number;
  payments: number;
  receivedCents: number;
  refundedCents: number;
  /** The fees that providers stated, and the number of payments without one. */
  feeCents: number;
  withoutFee: number;
  netCents: number;
  /** Payments that their provider has confirmed since they were booked, and when the last of them. */
  confirmed: number;
  confirmedAt: Date | null;
  /** Those still to be checked, and how many of them are scheduled now. */
  unchecked: number;
  scheduled: number;
  uncheckable: number;
  /** Payments and announced ones that `scheduleReconciliation` would schedule. */
  checkable: number;
  /** Differences that are not resolved, their sum, and those that are explained. */
  differences: number;
  differenceCents: number;
  explained: number;
  /** Days of accounts whose statement was read, and those that still are to be, and payments in them that are not ours. */
  statementsRead: number;
  statementsPending: number;
  otherPayments: number;
  /** What the other reports count on this day: sales that are still completed, with free ones. */
  completedSales: number;
  completedCents: number;
};

export const EMPTY_SUMS: ReconciledSums = {
  ...{ sales: 0, payments: 0, receivedCents: 0, refundedCents: 0, feeCents: 0, withoutFee: 0, netCents: 0 },
  ...{ confirmed: 0, confirmedAt: null, unchecked: 0, scheduled: 0, uncheckable: 0, checkable: 0 },
  ...{ differences: 0, differenceCents: 0, explained: 0, completedSales: 0, completedCents: 0 },
  ...{ statementsRead: 0, statementsPending: 0, otherPayments: 0 },
};

/** Several days as one: the newest confirmation, and the sums of everything else. */
export function sumDays(days: ReconciledDay[]): ReconciledSums {
  return days.reduce((total: ReconciledSums, { day: _, ...one }) => {
    const others = new Map<string, unknown>(Object.entries(total));
    const sums = Object.entries(one).map(([name, value]) => [name, Number(value) + Number(others.get(name))]);
    const isNewer = (one.confirmedAt?.getTime() ?? 0) > (total.confirmedAt?.getTime() ?? 0);
    return { ...Object.fromEntries(sums), confirmedAt: isNewer ? one.confirmedAt : total.confirmedAt };
  }, EMPTY_SUMS);
}
