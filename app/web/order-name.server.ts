import { z } from "zod";
import type { OrderName } from "#app/domain/checkout/place-named-order.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { clientOf } from "#app/web/limits/client.server.ts";

const LONGEST = 255;

/** The header as the API's description tells it. */
export const orderNameHeader = z.object({
  "Idempotency-Key": z.string().min(1).max(LONGEST).optional().meta({
    description: "Um texto seu: o mesmo pedido enviado de novo com ele é a mesma venda, por 24 horas",
  }),
});

/**
 * What the sender of a request calls the order in it (`Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header); null
 * where they call it nothing. Names are of an API key's holder, else of a client.
 * @throws Refusal invalid
 */
export function orderNameOf(request: Request, body: object): OrderName | null {
  const sent = request.headers.get("idempotency-key");
  if (sent === null) return null;
  // The draft writes it in quotes, most clients do not.
  const name = /^"(.*)"$/.exec(sent)?.[1] ?? sent;
  if (!/^[\x20-\x7e]+$/.test(name) || name.length > LONGEST)
    throw new Refusal(
      "invalid",
      `Idempotency-Key deve ter de 1 a ${LONGEST} letras, números ou sinais simples`,
    );
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const caller = bearer ? `key ${bearer}` : `client ${clientOf(request)}`;
  const ordered = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  return { caller, name, body: ordered };
}
