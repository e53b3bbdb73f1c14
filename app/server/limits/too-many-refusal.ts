import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** The refusal after too many attempts, with the time to wait in words and in seconds. `field` is the one it is about. */
export function tooManyRefusal(milliseconds: number, field?: string): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / SECOND));
  return new Refusal(
    "too-many",
    `Muitas tentativas. Tente de novo em ${formatWait(seconds)}.`,
    field,
    seconds,
  );
}

function formatWait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "1 segundo" : `${seconds} segundos`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minuto" : `${minutes} minutos`;
}
