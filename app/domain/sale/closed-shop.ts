import { formatDate } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";

/** How long a closed account can be taken back, and its buyers have what they bought. */
export const CLOSED_KEPT_FOR = 30 * DAY;

/** When a closed account is emptied. */
export function emptiedOn(closedAt: Date): Date {
  return new Date(closedAt.getTime() + CLOSED_KEPT_FOR);
}

/** What a buyer is told whose seller closed the account. What is under way may keep a purchase for longer than it says. */
export function closedShopWords(closedAt: Date, now: Date): string {
  const ends = emptiedOn(closedAt);
  const when = ends > now ? `termina em ${formatDate(ends)}` : "termina a qualquer momento";
  return `Quem vendeu encerrou a loja: o seu acesso a esta compra ${when}. Até lá, baixe o que quiser guardar.`;
}
