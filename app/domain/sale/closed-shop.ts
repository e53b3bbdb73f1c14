import { formatDate } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";

/** How long a closed account can be reopened, and its buyers have access to their purchases. */
export const CLOSED_ACCOUNT_RETENTION = 30 * DAY;

/** When a closed account is anonymized, at the earliest: it waits for sales that are unfinished (`isUnfinished`). */
export function anonymizationDate(closedAt: Date): Date {
  return new Date(closedAt.getTime() + CLOSED_ACCOUNT_RETENTION);
}

/** The text for buyers of a closed account. Sales that are unfinished may extend their access beyond this date. */
export function closedShopWords(closedAt: Date, now: Date): string {
  return `Quem vendeu encerrou a loja: o seu acesso a esta compra ${endText(closedAt, now)}. Até lá, baixe o que quiser guardar.`;
}

/** The text for who has not paid yet: before they do, since it would be for a short time. */
export function closedShopWarning(closedAt: Date, now: Date): string {
  return `Quem vendeu encerrou a loja. Se você pagar, o acesso a esta compra ${endText(closedAt, now)}.`;
}

function endText(closedAt: Date, now: Date): string {
  const ends = anonymizationDate(closedAt);
  return ends > now ? `termina em ${formatDate(ends)}` : "termina a qualquer momento";
}
