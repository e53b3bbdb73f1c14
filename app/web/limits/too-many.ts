import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** The refusal of whoever tried too often; it says when to try again, in words and in seconds. */
export function tooMany(milliseconds: number): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / SECOND));
  return new Refusal(
    "too-many",
    `Muitas tentativas. Tente de novo em ${inWords(seconds)}.`,
    undefined,
    seconds,
  );
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "1 segundo" : `${seconds} segundos`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minuto" : `${minutes} minutos`;
}
