import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { calledAny } from "#app/domain/gateway/providers/called.server.ts";

/** Why nobody can pay a seller who connected no provider, in words for them; else null. A key that is refused is a hand. */
export async function whyNobodyCanPay(sellerId: string): Promise<string | null> {
  if (await findGateway(sellerId)) return null;
  return `Seus checkouts ainda não recebem pagamentos: conecte ${calledAny()} em`;
}
