import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { anyProviderName } from "#app/domain/gateway/providers/name-with-article.server.ts";

/** Why a seller without a connected provider cannot be paid, as text for them; else null. A refused key is an action item. */
export async function missingGatewayReason(sellerId: string): Promise<string | null> {
  if (await findGateway(sellerId)) return null;
  return `Seus checkouts ainda não recebem pagamentos: conecte ${anyProviderName()} em`;
}
