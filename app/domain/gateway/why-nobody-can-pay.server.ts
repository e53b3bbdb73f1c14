import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { isKeyRefused } from "#app/domain/gateway/is-key-refused.server.ts";
import { calledAny, calledFirst } from "#app/domain/gateway/providers/called.server.ts";

/** Why nobody can pay a seller, in words for them; null where they can be paid. */
export async function whyNobodyCanPay(sellerId: string): Promise<{ isError: boolean; text: string } | null> {
  const [gateway, keyRefused] = await Promise.all([findGateway(sellerId), isKeyRefused(sellerId)]);
  if (keyRefused) {
    const who = gateway ? calledFirst(gateway.provider) : "O provedor";
    return {
      isError: true,
      text: `${who} recusou a sua API Key, e ninguém consegue pagar: confira a chave em`,
    };
  }
  if (gateway) return null;
  return { isError: false, text: `Seus checkouts ainda não recebem pagamentos: conecte ${calledAny()} em` };
}
