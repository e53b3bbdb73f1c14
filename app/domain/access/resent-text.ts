import type { ResentAccess } from "#app/domain/access/resend-access.server.ts";

/** The result of mailing a purchase again, for its seller. */
export function resentText({ recipient, mail }: ResentAccess): string {
  if (mail === "queued") return `Email reenviado para ${recipient}`;
  return mail === "waiting"
    ? `O email pedido há pouco ainda está na fila para ${recipient}: nenhum outro foi criado.`
    : `O email saiu para ${recipient} há menos de um minuto: nenhum outro foi criado.`;
}
