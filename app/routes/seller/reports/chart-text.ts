import type { ChartPoint } from "#app/domain/reports/figures/chart-points.ts";
import { formatMoney } from "#app/kit/money.ts";

/** A point as it is read aloud. */
export function describePoint(point: ChartPoint): string {
  return `${span(point)}: ${countSales(point.sales)}, ${formatMoney(point.revenueCents)}. Antes: ${countSales(point.previousSales)}, ${formatMoney(point.previousRevenueCents)}`;
}

/** `1 venda`, `1.234 vendas`. */
export function countSales(sales: number): string {
  return `${sales.toLocaleString("pt-BR")} ${sales === 1 ? "venda" : "vendas"}`;
}

/** The days of a point: `21/11/2026`, or `15/11 a 21/11/2026`. */
export function span({ first, last }: ChartPoint): string {
  return first === last
    ? `${short(first)}/${first.slice(0, 4)}`
    : `${short(first)} a ${short(last)}/${last.slice(0, 4)}`;
}

/** `2026-11-21` as `21/11`. */
export function short(day: string): string {
  return `${day.slice(8)}/${day.slice(5, 7)}`;
}

/** Horizontal position of the `i`-th of `count` points, from 0 to 1: each has an equal share of the width. */
export function middle(i: number, count: number): number {
  return (i + 0.5) / count;
}
