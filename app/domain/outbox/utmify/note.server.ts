import type { NewsEvent } from "#app/db/schema/lists.ts";
import { wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { daysFor, utmify } from "#app/domain/outbox/utmify/utmify.server.ts";

/** How telling UTMify went, as its row says it. */
export type Outcome = {
  event: NewsEvent;
  status: string;
  why: string | null;
  responseStatus: number | null;
};

/** Why UTMify was not told, in words for the seller; null where it was, or nothing was tried. */
export function noteOf({ event, ...outcome }: Outcome): string | null {
  const { status, why } = outcome;
  if (status === "sent") return null;
  if (status === "too_late") return `Não enviado: o pedido tem mais de ${daysFor(event)} dias.`;
  if (why === "outdated") return "Não enviado: um estado mais novo deste pedido tomou o lugar dele.";
  if (why === "stopped") return "Não enviado: o rastreamento está desligado.";
  if (why === "lost") return `Não enviado: sem resposta em ${utmify.pauses.length + 1} tentativas.`;
  const answered = answerNote(outcome);
  if (status !== "dropped" || !answered || why === "restored") return answered;
  return `${answered} Um estado mais novo deste pedido será informado no lugar.`;
}

/** What an answer, or none, means to the seller. */
export function answerNote({ status, why, responseStatus }: Omit<Outcome, "event">): string | null {
  if (why === "token") return "A UTMify não reconheceu o token da API (ou o endereço).";
  if (why === "rejected")
    return responseStatus === 400 ? "A UTMify recusou os dados do pedido." : "A UTMify recusou o pedido.";
  if (why === "status")
    return responseStatus === 429 ? "A UTMify pediu para esperar." : "A UTMify está com problemas.";
  return wordsOf({ status, why, responseStatus }).text;
}
