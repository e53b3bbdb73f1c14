import type { InstalmentPrice } from "#app/domain/gateway/providers/card-port.ts";
import { formatMoney } from "#app/kit/money.ts";

/** `3x de R$ 34,10 (total R$ 102,30)`, `2x de R$ 50,00 sem juros`. */
export function describeInstalment({
  count,
  instalmentCents,
  totalCents,
  isInterestFree,
}: InstalmentPrice): string {
  const each = `${count}x de ${formatMoney(instalmentCents)}`;
  if (isInterestFree) return count === 1 ? each : `${each} sem juros`;
  return `${each} (total ${formatMoney(totalCents)})`;
}
