import { type AnyColumn, and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import type { CardProvider } from "#app/domain/gateway/providers/card-port.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { isSecretKey } from "#app/domain/gateway/providers/is-secret-key.ts";
import type { Credentials, Provider } from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's working connection to a provider, for new charges. */
export type Gateway = {
  provider: Provider;
  credentials: Credentials;
  keyId: string;
  hookToken: string;
};

/** The columns of an account and its key. */
export const gatewayColumns = {
  provider: gatewayAccounts.provider,
  position: gatewayAccounts.position,
  hookToken: gatewayAccounts.hookToken,
  keyId: gatewayAccounts.keyId,
  apiKeySealed: gatewayKeys.apiKeySealed,
};

/** Such a row. */
export type GatewayRow = {
  provider: string | null;
  position: number | null;
  hookToken: string | null;
  keyId: string | null;
  apiKeySealed: string | null;
};

/** The gateway a seller is usually paid through, or null. */
export async function findGateway(sellerId: string): Promise<Gateway | null> {
  const rows = await db
    .select(gatewayColumns)
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(isAccountOf(sellerId));
  return listGateways(rows)[0] ?? null;
}

/** A condition for the enabled accounts of a seller. */
export function isAccountOf(sellerId: string | AnyColumn): SQL | undefined {
  return and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.enabledAt));
}

/** The accounts with a key and a known provider, the one that is tried first in front. */
export function listGateways(rows: GatewayRow[]): Gateway[] {
  return inTriedOrder(rows).flatMap((account) => toGateway(account) ?? []);
}

/** The gateway of an account; null without a key or a known provider. */
export function toGateway({ provider: name, hookToken, keyId, apiKeySealed }: GatewayRow): Gateway | null {
  const provider = pick(providers, name ?? "");
  if (!provider || !hookToken || !keyId || !apiKeySealed) return null;
  return { provider, credentials: { apiKey: unseal(apiKeySealed) }, keyId, hookToken };
}

/** Accounts at providers, as their codes are requested: by the seller's choice, then in the order of `providers`. */
export function inTriedOrder<T extends { provider: string | null; position: number | null }>(
  accounts: T[],
): T[] {
  const names = Object.keys(providers);
  const rank = ({ provider }: T) => names.indexOf(provider ?? "");
  return accounts
    .filter((account) => rank(account) >= 0)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || rank(a) - rank(b));
}

/** A seller's account that takes cards, with the key for the card's fields in the buyer's browser. */
export type CardGateway = Gateway & { cards: CardProvider; publicKey: string };

/** The account that a seller's cards are charged through; null where there is none. */
export async function findCardGateway(sellerId: string, tx: Db = db): Promise<CardGateway | null> {
  const rows = await tx
    .select({ ...gatewayColumns, publicKeySealed: gatewayAccounts.publicKeySealed })
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(and(eq(gatewayAccounts.sellerId, sellerId), isNotNull(gatewayAccounts.cardsEnabledAt)));
  for (const { publicKeySealed, ...row } of inTriedOrder(rows)) {
    const gateway = toGateway(row);
    if (!gateway?.provider.cards || !publicKeySealed) continue;
    const { provider, credentials } = gateway;
    const publicKey = unseal(publicKeySealed);
    if (isSecretKey(provider, publicKey, [credentials.apiKey])) continue;
    return { ...gateway, cards: gateway.provider.cards, publicKey };
  }
  return null;
}

/** Whether a seller takes cards, as a column of a query that has the seller's id. */
export function takesCardsOf(sellerId: AnyColumn): SQL<boolean> {
  const names = Object.values(providers).flatMap(({ name, cards }) => (cards ? [name] : []));
  return hasAccountOf(
    sellerId,
    names,
    sql`a.cards_enabled_at is not null and a.public_key_sealed is not null`,
  );
}

/** The same of PIX: whether an account could create a code. */
export function takesPixOf(sellerId: AnyColumn): SQL<boolean> {
  return hasAccountOf(sellerId, Object.keys(providers), sql`a.enabled_at is not null`);
}

function hasAccountOf(sellerId: AnyColumn, names: string[], isOn: SQL): SQL<boolean> {
  const listed = sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  );
  return sql<boolean>`exists (select from gateway_accounts a where a.seller_id = ${sellerId}
    and a.key_id is not null and ${isOn} and a.provider in (${listed}))`;
}
