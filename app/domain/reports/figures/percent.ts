/**
 * A percentage with one decimal, in Brazilian format: `97.25` is `97,3%`. Less than everything is never rounded up to 100.
 */
export function formatPercent(percent: number): string {
  const rounded = percent < 100 ? Math.min(percent, 99.9) : percent;
  return `${rounded.toLocaleString("pt-BR", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}

/** A share of a whole in per cent, to one decimal, never rounded up to 100. */
export function percentOf(part: number, whole: number): number {
  const percent = Math.round((part / whole) * 1000) / 10;
  return part < whole ? Math.min(percent, 99.9) : percent;
}
