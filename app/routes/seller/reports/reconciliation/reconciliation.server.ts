import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { describeDifference } from "#app/domain/reconciliation/describe-difference.ts";
import {
  describeChecks,
  describeResult,
  describeState,
  describeStatements,
  soldLabel,
  stateOf,
} from "#app/domain/reconciliation/describe-sums.ts";
import { DIFFERENCES, type Difference } from "#app/domain/reconciliation/differences.ts";
import { neighbourOf, readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { readReconciliation } from "#app/domain/reconciliation/read-reconciliation.server.ts";
import { EMPTY_SUMS, type ReconciledSums, sumDays } from "#app/domain/reconciliation/reconciled-day.ts";
import { formatDateTime, formatDay } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { readCursors, writeCursor } from "#app/kit/paginate.ts";
import { pick } from "#app/kit/pick.ts";

/** Payments with differences on a page. */
const PAGE = 50;

const monthLabel = new Intl.DateTimeFormat("pt-BR", { month: "long", year: "numeric", timeZone: "UTC" });

/** Data of the page: a month, of which a day may be chosen. */
export async function loadReconciliation(sellerId: string, query: URLSearchParams, now: Date) {
  const days = readReconciledDays(query, now);
  const { month, day } = days;
  const { before } = readCursors(query);
  const found = await readReconciliation(sellerId, days, {
    limit: PAGE,
    before: before && { at: before.createdAt, id: before.id },
  });
  const chosen = found.days.find((one) => one.day === day);
  const sums = day ? (chosen ?? EMPTY_SUMS) : sumDays(found.days);
  const requested = query.get("month");
  return {
    month: month.name,
    label: labelOf(month.name),
    /** A month that was asked for and is none. */
    unknownMonth: requested && requested !== month.name ? requested.slice(0, 20) : null,
    day: day === null ? null : { name: day, label: formatDay(day) },
    newerMonth: neighbour(neighbourOf(month, 1, now)),
    olderMonth: neighbour(neighbourOf(month, -1, now)),
    isEmpty: sums.payments === 0 && sums.differences === 0,
    result: {
      state: stateOf(sums),
      text: describeResult(sums),
      checks: describeChecks(sums),
      statements: describeStatements(sums, day !== null),
    },
    checkable: sums.checkable,
    sums: toSumsView(sums),
    // A day may have free orders alone.
    days: found.days
      .filter(({ payments, differences }) => payments + differences > 0)
      .map((one) => ({
        ...toSumsView(one),
        ...{ day: one.day, label: formatDay(one.day) },
        ...{ state: stateOf(one), badge: describeState(one) },
      })),
    differences: found.differences.map(toDifferenceView),
    older: found.older && writeCursor({ createdAt: found.older.at, id: found.older.id }),
    isFirstPage: !before,
  };
}

function toSumsView(sums: ReconciledSums) {
  const hasFee = sums.withoutFee < sums.payments;
  return {
    sold: soldLabel(sums),
    received: formatMoney(sums.receivedCents),
    refunded: formatMoney(sums.refundedCents),
    fee: hasFee ? formatMoney(sums.feeCents) : "–",
    withoutFee: sums.withoutFee,
    net: formatMoney(sums.netCents),
    completedSales: sums.completedSales,
    completed: formatMoney(sums.completedCents),
  };
}

function toDifferenceView(one: Difference) {
  return {
    ...{ id: `${one.chargeId ?? one.saleId}-${one.kind}`, kind: one.kind, saleId: one.saleId },
    ...describeDifference(one),
    resolution: DIFFERENCES[one.kind],
    amount: formatMoney(one.cents),
    at: formatDateTime(one.at),
    provider: one.provider && (pick(providers, one.provider)?.label ?? null),
    buyer: one.customerName ?? "Sem nome",
    product: one.productName,
  };
}

function neighbour(name: string | null) {
  return name === null ? null : { name, label: labelOf(name) };
}

/** `2026-11` as `novembro de 2026`. */
function labelOf(month: string): string {
  return monthLabel.format(new Date(`${month}-15T00:00:00Z`));
}

export type ReconciliationView = Awaited<ReturnType<typeof loadReconciliation>>;
