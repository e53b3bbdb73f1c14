/**
 * By how much a figure changed, without its direction: `12%`. Different figures never read `0%`, and a decrease to more than
 * nothing never reads `100%`.
 * @param before above zero
 */
export function formatChange(now: number, before: number): string {
  const percent = Math.round(Math.abs(now / before - 1) * 100);
  if (percent === 0 && now !== before) return "menos de 1%";
  if (percent === 100 && now > 0 && now < before) return "mais de 99%";
  return `${percent.toLocaleString("pt-BR")}%`;
}
