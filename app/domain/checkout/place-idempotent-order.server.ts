import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { idempotencyKeys } from "#app/db/schema/requests.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { resumePix } from "#app/domain/checkout/resume-pix.server.ts";
import type { CheckoutOrder, ClaimedKey, PlacedOrder } from "#app/domain/order/order.ts";
import { keyInUse } from "#app/domain/order/order-refusal.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken, signaturesOf } from "#app/platform/secrets.server.ts";

/** How long an idempotency key identifies its order. */
export const IDEMPOTENCY_WINDOW = DAY;

/** A process that takes longer is presumed dead. */
const LEASE = MINUTE;

/** `caller` is the scope of the key, `name` the key that the sender chose, `body` the order. */
export type IdempotentRequest = { caller: string; name: string; body: unknown };

type Row = typeof idempotencyKeys.$inferSelect;

/**
 * Places an order with an idempotency key. For a day the same order with the same key is the same sale with the same PIX,
 * also when sent concurrently. A refused order does not use up the key: corrected, it may be sent with it again. A sale
 * without a PIX is stored, and the next attempt creates one for it.
 * @throws what `placeOrder` throws; Refusal mismatch where another order has this key, conflict while it is being placed
 */
export async function placeIdempotentOrder(
  order: CheckoutOrder,
  request: IdempotentRequest,
): Promise<PlacedOrder> {
  const name = JSON.stringify(["order name", request.caller, request.name]);
  const bodies = signaturesOf(JSON.stringify(["named order", request.body]));
  const row = (await claim(name, bodies[0]!)) ?? (await takeOver(name, bodies));
  const { key, leasedUntil } = row;
  const productId = order.product && "id" in order.product ? order.product.id : 0;
  if (row.saleId && row.chargeId)
    return { saleId: row.saleId, productId, next: "pix", chargeId: row.chargeId, refusal: null };
  try {
    const placed = row.saleId
      ? await payEarlierSale(row.saleId, productId)
      : await placeOrder({ ...order, idempotencyKey: { key, leasedUntil } });
    await db
      .update(idempotencyKeys)
      .set({ saleId: placed.saleId, chargeId: placed.chargeId, leasedUntil: NOT_LEASED })
      .where(isHeld(row));
    return placed;
  } catch (error) {
    await release(row);
    throw error;
  }
}

/** The sale of an earlier attempt, with a PIX unless it is free, or was paid on its page meanwhile. */
async function payEarlierSale(saleId: string, productId: number): Promise<PlacedOrder> {
  const [sale] = await db
    .select({ amountCents: sales.amountCents, completedAt: sales.completedAt })
    .from(sales)
    .where(eq(sales.id, saleId));
  if (sale?.amountCents === 0 || sale?.completedAt)
    return { saleId, productId, next: "thank-you", chargeId: null, refusal: null };
  const order = { saleId, productId, next: "pix" } as const;
  try {
    return { ...order, ...(await resumePix(saleId)), refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...order, chargeId: null, refusal: error };
  }
}

/**
 * While APP_SECRET is being changed a name has two hashes: the other one is checked first, under a lock on the name.
 * @returns the row where nobody used the name within a day; null where somebody did
 */
async function claim(name: string, body: string): Promise<Row | null> {
  const [key, ...others] = signaturesOf(name);
  if (others.length === 0) return insertKey(db, key!, body);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${hashToken(name)}, 0))`);
    const [found] = await tx
      .select({ key: idempotencyKeys.key })
      .from(idempotencyKeys)
      .where(and(inArray(idempotencyKeys.key, others), gte(idempotencyKeys.createdAt, windowStart)));
    return found ? null : insertKey(tx, key!, body);
  });
}

async function insertKey(tx: Db, key: string, body: string): Promise<Row | null> {
  const [row] = await tx
    .insert(idempotencyKeys)
    .values({ key, body, leasedUntil: leaseEnd })
    .onConflictDoUpdate({
      target: idempotencyKeys.key,
      set: {
        body,
        leasedUntil: leaseEnd,
        sellerId: null,
        saleId: null,
        chargeId: null,
        createdAt: sql`now()`,
      },
      setWhere: lt(idempotencyKeys.createdAt, windowStart),
    })
    .returning();
  return row ?? null;
}

/** @returns the row where its order is placed, or where its lease expired */
async function takeOver(name: string, bodies: string[]): Promise<Row> {
  const [found] = await db
    .select()
    .from(idempotencyKeys)
    .where(inArray(idempotencyKeys.key, signaturesOf(name)))
    .orderBy(desc(idempotencyKeys.createdAt))
    .limit(1);
  if (found && !bodies.includes(found.body))
    throw new Refusal(
      "mismatch",
      "Este Idempotency-Key já foi usado com outro pedido. Use um novo para cada pedido.",
      undefined,
      undefined,
      "idempotency_key_reused",
    );
  if (found?.chargeId) return found;
  // Where it was released between the two statements, the sender retries.
  const [claimed] = found
    ? await db
        .update(idempotencyKeys)
        .set({ leasedUntil: leaseEnd })
        .where(
          and(
            eq(idempotencyKeys.key, found.key),
            eq(idempotencyKeys.body, found.body),
            lt(idempotencyKeys.leasedUntil, sql`now()`),
          ),
        )
        .returning()
    : [];
  if (claimed) return claimed;
  throw keyInUse();
}

const NOT_LEASED = new Date(0);
const leaseEnd = sql`now() + make_interval(secs => ${LEASE / SECOND})`;
const windowStart = sql`now() - make_interval(secs => ${IDEMPOTENCY_WINDOW / SECOND})`;

/** Whether a key is still held by the request that claimed it: each lease ends at a moment of its own. */
function isHeld({ key, leasedUntil }: ClaimedKey) {
  return and(eq(idempotencyKeys.key, key), eq(idempotencyKeys.leasedUntil, leasedUntil));
}

/**
 * Deletes the key of an order without a sale, unless another request has taken it over. With a sale the key is stored, and the
 * next attempt continues it.
 */
async function release(claimed: ClaimedKey): Promise<void> {
  await db.execute(sql`with freed as (delete from ${idempotencyKeys} where ${isHeld(claimed)} and sale_id is null)
    update ${idempotencyKeys} set leased_until = ${NOT_LEASED.toISOString()}::timestamptz
    where ${isHeld(claimed)} and sale_id is not null`);
}
