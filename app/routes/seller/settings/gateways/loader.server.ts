import { versionOf } from "#app/db/version.server.ts";
import {
  accountState,
  findKnownOfAccounts,
  type KnownOfAccounts,
} from "#app/domain/gateway/account-state.server.ts";
import type { Outage } from "#app/domain/gateway/find-gateway-trouble.server.ts";
import { describeRefusedCards, type RefusedCards } from "#app/domain/gateway/find-refused-cards.server.ts";
import { connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { readAccount } from "#app/domain/gateway/providers/account-form.ts";
import {
  capitalizedName,
  nameWithArticle,
  type ProviderName,
} from "#app/domain/gateway/providers/name-with-article.server.ts";
import { gatewaysVersion } from "#app/domain/gateway/save-gateways.server.ts";
import { type Gateways, showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { findRefundsOverpayments } from "#app/domain/refund/refunds-overpayments.server.ts";
import { findDisputeAccess } from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import { findTrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { ACCOUNT_BADGES } from "#app/routes/seller/settings/account-badges.ts";
import type { AccountCard } from "#app/routes/seller/settings/gateways/fields.ts";

/** Data of the gateways tab: the seller's settings, and a card for each account that has one. */
export async function loadGateways(sellerId: string) {
  const [gateways, known, disputed, refundsOverpayments, tracking] = await Promise.all([
    showGateways(sellerId),
    findKnownOfAccounts(sellerId),
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
    cards: cardsFor(known, gateways),
  };
}

/** @param known what is known of the accounts: their cards show it */
function cardsFor(known: KnownOfAccounts, gateways: Gateways): AccountCard[] {
  const accounts = connectableAccounts();
  const isOn = (account: (typeof accounts)[number]) => readAccount(account, gateways).isOn;
  const first = accounts.find(({ name }) => name === gateways.first_provider);
  return accounts.map((account) => {
    const { name, title, text, toggle, cardToggle = null, keys, charges } = account;
    const state = accountState(account, gateways, known);
    const isRefused = known.refused.some(({ provider }) => provider === name);
    const outage = known.outages.find(({ provider }) => provider === name);
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
        badge:
          state === "missing" && gateways.first_provider === ""
            ? { tone: "warning" as const, label: "Falta a API Key" }
            : ACCOUNT_BADGES[state],
        keyRefused: isRefused ? describeRefusedKey(charges, readAccount(account, gateways)) : null,
        keyUntested:
          known.untested.includes(name) && !isRefused
            ? `A API Key está salva, mas ainda não foi testada: não sabemos se ${nameWithArticle(charges)} a aceita. Teste antes que alguém compre.`
            : null,
        cardsRefused: known.refusedCards?.provider === name ? explainRefusedCards(known.refusedCards) : null,
        outage: outage ? describeOutage(charges, outage, known.working > 0) : null,
        spareOf: first?.charges && first !== account && isOn(account) ? nameWithArticle(first.charges) : null,
        spareFailure: known.spareFailures.get(name) ?? null,
        testHint: `Confere a chave ${nameWithArticle(charges, "n")} e envia um aviso de teste ao endereço acima.`,
      },
    };
  });
}

function describeOutage(provider: ProviderName, { failures, lastAt }: Outage, hasSpare: boolean): string {
  const meanwhile = hasSpare
    ? "Outro provedor seu gera os códigos PIX."
    : "Tentamos de novo a cada comprador.";
  return `${capitalizedName(provider)} não está gerando códigos PIX: as últimas ${failures} tentativas falharam, a última em ${formatDateTime(lastAt)}. ${meanwhile} Veja com ${nameWithArticle(provider)} se há uma falha.`;
}

function explainRefusedCards(cards: RefusedCards): string {
  const { about, todo } = describeRefusedCards(cards);
  return `${about} ${todo}.`;
}

/** What stops until the provider accepts the key, by what its account takes, and what ends it. */
function describeRefusedKey(
  provider: ProviderName,
  { isOn, takesCards }: { isOn: boolean; takesCards: boolean },
): string {
  const stopped = !takesCards ? "por PIX" : isOn ? "por PIX nem com cartão" : "com cartão";
  return `${capitalizedName(provider)} recusou esta API Key: por esta conta ninguém consegue pagar ${stopped}, e nenhum pagamento é confirmado. Salve a chave certa ou, se a conta foi liberada, use Testar Webhook: o aviso some assim que a chave for aceita.`;
}
