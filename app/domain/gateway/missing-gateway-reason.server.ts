import { anyProviderName } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { Receiving } from "#app/domain/gateway/read-receiving.server.ts";

/** Why a seller cannot be paid, as text for them, or null. A refused key is an action item, and an untested one may work. */
export function missingGatewayReason(receiving: Receiving): string | null {
  if (receiving !== "off" && receiving !== "missing") return null;
  const remedy =
    receiving === "off"
      ? "a API Key está salva, mas o PIX está desligado. Ligue-o em"
      : `conecte ${anyProviderName()} em`;
  return `Seus checkouts ainda não recebem pagamentos: ${remedy}`;
}
