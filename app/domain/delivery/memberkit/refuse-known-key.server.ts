import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import type { DestinationRow } from "#app/domain/delivery/kind.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isSameSecret, unseal } from "#app/platform/secrets.server.ts";

/**
 * Refuses a key that another MemberKit area of the seller has: each knows the classes of its own purchases only, and would close
 * one that a purchase of the other still gives.
 * @throws Refusal invalid, at the key
 */
export async function refuseKnownKey(
  tx: Db,
  key: string,
  { sellerId, row }: { sellerId: string; row: DestinationRow | null },
): Promise<void> {
  // Of two saves at once the second sees what the first saved.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`memberkit:${sellerId}`}, 0))`);
  const areas = await tx
    .select({ id: destinations.id, name: destinations.name, tokenSealed: destinations.tokenSealed })
    .from(destinations)
    .where(
      and(
        ...[eq(destinations.sellerId, sellerId), eq(destinations.kind, "memberkit")],
        isNull(destinations.deletedAt),
      ),
    );
  const other = areas.find(
    ({ id, tokenSealed }) => id !== row?.id && tokenSealed !== null && isSameSecret(unseal(tokenSealed), key),
  );
  if (!other) return;
  const text = `A área “${other.name}” já usa esta chave, e uma encerraria as turmas da outra: ligue todos os produtos nela.`;
  throw new Refusal("invalid", text, "token");
}
