import { versionOf } from "#app/db/version.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { isKeyRefused } from "#app/domain/gateway/is-key-refused.server.ts";
import { called, calledFirst } from "#app/domain/gateway/providers/called.server.ts";
import { gatewaysVersion } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findDisputedAccess } from "#app/domain/sale/dispute/choose-access.server.ts";
import { pick } from "#app/kit/pick.ts";
import type { AccountCard } from "#app/routes/seller/settings/gateways/fields.ts";

/** What the gateways tab is drawn from: the seller's settings, and a card for each account with one. */
export async function loadGateways(sellerId: string) {
  const [gateways, keyRefused, disputed] = await Promise.all([
    showGateways(sellerId),
    isKeyRefused(sellerId),
    findDisputedAccess(sellerId),
  ]);
  return {
    gateways,
    version: gatewaysVersion(gateways),
    keyVersion: versionOf(gateways.resend_api_key),
    suspendsDisputed: disputed.suspends,
    cards: cardsFor(keyRefused ? gateways : null),
  };
}

/** @param refused the settings of a seller whose key was refused: the card of whoever is on says so */
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
            ? `${calledFirst(charges)} recusou esta API Key quando um comprador quis pagar, e nenhum PIX pôde ser gerado. Salve a chave certa ou, se a conta foi liberada, use Testar Webhook: o aviso some assim que um PIX for gerado.`
            : null,
          testHint: `Confere a chave ${called(charges, "n")} e envia um aviso de teste ao endereço acima.`,
        },
      };
    });
}
