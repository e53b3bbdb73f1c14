import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { daysFor, utmify } from "#app/domain/delivery/utmify/utmify.server.ts";

/** A delivery's result at UTMify, as its row stores it. */
export type Outcome = {
  event: DeliveryEvent;
  status: string;
  reason: string | null;
  responseStatus: number | null;
};

/** Why UTMify was not notified, as the seller reads it; null where it was, or nothing was attempted. */
export function deliveryNote({ event, ...outcome }: Outcome): string | null {
  const { status, reason } = outcome;
  if (status === "sent") return null;
  if (status === "too_late") return `Não enviado: o pedido tem mais de ${daysFor(event)} dias.`;
  if (reason === "outdated") return "Não enviado: um estado mais novo deste pedido tomou o lugar dele.";
  if (reason === "stopped") return "Não enviado: o rastreamento está desligado.";
  if (reason === "lost") return `Não enviado: sem resposta em ${utmify.retryDelays.length + 1} tentativas.`;
  const answered = answerNote(outcome);
  if (status !== "dropped" || !answered || reason === "restored") return answered;
  return `${answered} Um estado mais novo deste pedido será informado no lugar.`;
}

/** What an answer, or none, means, as the seller reads it. */
export function answerNote({ status, reason, responseStatus }: Omit<Outcome, "event">): string | null {
  if (reason === "token") return "A UTMify não reconheceu o token da API (ou o endereço).";
  if (reason === "rejected")
    return responseStatus === 400 ? "A UTMify recusou os dados do pedido." : "A UTMify recusou o pedido.";
  if (reason === "status")
    return responseStatus === 429 ? "A UTMify pediu para esperar." : "A UTMify está com problemas.";
  return deliveryText({ status, reason, responseStatus }).text;
}
