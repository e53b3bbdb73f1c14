import { versionOf } from "#app/db/version.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { isKeyRefused } from "#app/domain/gateway/is-key-refused.server.ts";
import { capitalizedName, nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { gatewaysVersion } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findDisputeAccess } from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import { pick } from "#app/kit/pick.ts";
import type { AccountCard } from "#app/routes/seller/settings/gateways/fields.ts";

/** Data of the gateways tab: the seller's settings, and a card for each account that has one. */
export async function loadGateways(sellerId: string) {
  const [gateways, keyRefused, disputed] = await Promise.all([
    showGateways(sellerId),
    isKeyRefused(sellerId),
    findDisputeAccess(sellerId),
  ]);
  return {
    gateways,
    version: gatewaysVersion(gateways),
    keyVersion: versionOf(gateways.resend_api_key),
    suspendsDisputed: disputed.suspends,
    cards: cardsFor(keyRefused ? gateways : null),
  };
}

/** @param refused the settings of a seller whose key was refused: the enabled account's card shows it */
function cardsFor(refused: Record<string, unknown> | null): AccountCard[] {
  return connectableAccounts()
    .filter(({ hasCard }) => hasCard)
    .map(({ name, title, text, toggle, keys, charges }) => {
      const isRefused = refused !== null && pick(refused, toggle.field) === true;
      return {
        name,
        title,
        text,
        toggle,
        keys,
        charges: charges && {
          webhook: charges.webhook,
          keyMissing: charges.keyMissing,
          keyRefused: isRefused
            ? `${capitalizedName(charges)} recusou esta API Key quando um comprador quis pagar, e nenhum PIX pôde ser gerado. Salve a chave certa ou, se a conta foi liberada, use Testar Webhook: o aviso some assim que um PIX for gerado.`
            : null,
          testHint: `Confere a chave ${nameWithArticle(charges, "n")} e envia um aviso de teste ao endereço acima.`,
        },
      };
    });
}
