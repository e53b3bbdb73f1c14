import { type AnyColumn, and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import {
  type Gateway,
  gatewayColumns,
  inTriedOrder,
  toGateway,
} from "#app/domain/gateway/find-gateway.server.ts";
import type { CardProvider } from "#app/domain/gateway/providers/card-port.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's account that takes cards, with the key for the card's fields in the buyer's browser. */
export type CardGateway = Gateway & { cards: CardProvider; publicKey: string };

/** Where cards are switched on: both keys are saved. */
const takesCards = and(
  isNotNull(gatewayAccounts.cardsEnabledAt),
  isNotNull(gatewayAccounts.keyId),
  isNotNull(gatewayAccounts.publicKeySealed),
);

/** The account that a seller's cards are charged through; null where there is none. */
export async function findCardGateway(sellerId: string, tx: Db = db): Promise<CardGateway | null> {
  const rows = await tx
    .select({ ...gatewayColumns, publicKeySealed: gatewayAccounts.publicKeySealed })
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(and(eq(gatewayAccounts.sellerId, sellerId), takesCards));
  for (const { publicKeySealed, ...row } of inTriedOrder(rows)) {
    const gateway = toGateway(row);
    if (gateway?.provider.cards && publicKeySealed)
      return { ...gateway, cards: gateway.provider.cards, publicKey: unseal(publicKeySealed) };
  }
  return null;
}

/** Whether a seller takes cards, as a column of a query that has the seller's id. */
export function takesCardsOf(sellerId: AnyColumn): SQL<boolean> {
  const names = Object.values(providers).flatMap(({ name, cards }) => (cards ? [sql`${name}`] : []));
  return sql<boolean>`exists (select from gateway_accounts a where a.seller_id = ${sellerId}
    and a.cards_enabled_at is not null and a.key_id is not null and a.public_key_sealed is not null
    and a.provider in (${sql.join(names, sql`, `)}))`;
}
