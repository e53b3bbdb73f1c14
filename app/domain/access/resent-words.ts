import type { Resent } from "#app/domain/access/resend-access.server.ts";

/** What became of a wish to mail a purchase once more, for its seller. The first is the specification's. */
export function resentWords({ recipient, mail }: Resent): string {
  if (mail === "queued") return `Email reenviado para ${recipient}`;
  return mail === "waiting"
    ? `O email pedido há pouco ainda está na fila para ${recipient}: nenhum outro foi criado.`
    : `O email saiu para ${recipient} há menos de um minuto: nenhum outro foi criado.`;
}
