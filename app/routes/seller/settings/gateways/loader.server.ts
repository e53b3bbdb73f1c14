import { versionOf } from "#app/db/version.server.ts";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { findSpareFailures } from "#app/domain/gateway/find-spare-failures.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { readAccount } from "#app/domain/gateway/providers/account-form.ts";
import { capitalizedName, nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { gatewaysVersion } from "#app/domain/gateway/save-gateways.server.ts";
import { type Gateways, showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findUntestedKeys } from "#app/domain/gateway/untested-keys.server.ts";
import { findRefundsOverpayments } from "#app/domain/refund/refunds-overpayments.server.ts";
import { findDisputeAccess } from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import { findTrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import type { AccountCard } from "#app/routes/seller/settings/gateways/fields.ts";

/** Data of the gateways tab: the seller's settings, and a card for each account that has one. */
export async function loadGateways(sellerId: string) {
  const [gateways, spareFailures, refusedAccounts, untestedKeys, disputed, refundsOverpayments, tracking] =
    await Promise.all([
      showGateways(sellerId),
      findSpareFailures(sellerId),
      findRefusedAccounts(sellerId),
      findUntestedKeys(sellerId),
      findDisputeAccess(sellerId),
      findRefundsOverpayments(sellerId),
      findTrackingState(sellerId),
    ]);
  return {
    gateways,
    version: gatewaysVersion(gateways),
    keyVersion: versionOf(gateways.resend_api_key),
    suspendsDisputed: disputed.suspends,
    refundsOverpayments,
    tracking,
    cards: cardsFor({ refused: refusedAccounts, untested: untestedKeys, spareFailures }, gateways),
  };
}

type KnownOfKeys = { refused: string[]; untested: string[]; spareFailures: Map<string, string> };

/** @param known the providers that refused the seller's key, and those whose key is untested: their cards show it */
function cardsFor({ refused, untested, spareFailures }: KnownOfKeys, gateways: Gateways): AccountCard[] {
  const accounts = connectableAccounts();
  const isOn = (account: (typeof accounts)[number]) => readAccount(account, gateways).isOn;
  const first = accounts.find(({ name }) => name === gateways.first_provider);
  return accounts.map((account) => {
    const { name, title, text, toggle, cardToggle = null, keys, charges } = account;
    return {
      name,
      title,
      text,
      toggle,
      cardToggle,
      keys,
      charges: charges && {
        webhook: charges.webhook,
        keyMissing: charges.keyMissing,
        keyRefused: refused.includes(name)
          ? describeRefusedKey(charges, readAccount(account, gateways))
          : null,
        keyUntested:
          untested.includes(name) && !refused.includes(name)
            ? `A API Key está salva, mas ainda não foi testada: não sabemos se ${nameWithArticle(charges)} a aceita. Teste antes que alguém compre.`
            : null,
        isNeeded: gateways.first_provider === "",
        spareOf: first?.charges && first !== account && isOn(account) ? nameWithArticle(first.charges) : null,
        spareFailure: spareFailures.get(name) ?? null,
        testHint: `Confere a chave ${nameWithArticle(charges, "n")} e envia um aviso de teste ao endereço acima.`,
      },
    };
  });
}

/** What stops until the provider accepts the key, by what its account takes, and what ends it. */
function describeRefusedKey(
  provider: Parameters<typeof capitalizedName>[0],
  { isOn, takesCards }: { isOn: boolean; takesCards: boolean },
): string {
  const stopped = !takesCards ? "por PIX" : isOn ? "por PIX nem com cartão" : "com cartão";
  return `${capitalizedName(provider)} recusou esta API Key: por esta conta ninguém consegue pagar ${stopped}, e nenhum pagamento é confirmado. Salve a chave certa ou, se a conta foi liberada, use Testar Webhook: o aviso some assim que a chave for aceita.`;
}
