import { z } from "zod";
import type { IdempotentRequest } from "#app/domain/checkout/place-idempotent-order.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { clientKey } from "#app/server/request/client.server.ts";

const MAX_LENGTH = 255;

/** The header in the API's description. */
export const idempotencyKeyHeader = z.object({
  "Idempotency-Key": z.string().min(1).max(MAX_LENGTH).optional().meta({
    description: "Um texto seu: o mesmo pedido enviado de novo com ele é a mesma venda, por 24 horas",
  }),
});

/**
 * The request's `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header); null if it has none. It counts for the API key
 * that it was sent with, else for the client.
 * @throws Refusal invalid
 */
export function readIdempotencyKey(request: Request, body: object): IdempotentRequest | null {
  const header = request.headers.get("idempotency-key");
  if (header === null) return null;
  // The draft requires quotes, most clients send none.
  const name = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]+$/.test(name) || name.length > MAX_LENGTH)
    throw new Refusal(
      "invalid",
      `Idempotency-Key deve ter de 1 a ${MAX_LENGTH} letras, números ou sinais simples`,
    );
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const caller = bearer ? `key ${bearer}` : `client ${clientKey(request)}`;
  const sortedBody = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  return { caller, name, body: sortedBody };
}
