import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { idempotencyKeys } from "#app/db/schema/idempotency.server.ts";
import { type CheckoutOrder, type PlacedOrder, placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { DAY, MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken, signaturesOf } from "#app/platform/secrets.server.ts";

/** How long the same name stands for the same order. */
export const NAMED_FOR = DAY;

/** Whoever takes longer is taken for dead. */
const AT_IT = MINUTE;
const COME_BACK = 1;

/** What the sender of an order calls it; `caller` is whose names these are, `body` what is ordered. */
export type OrderName = { caller: string; name: string; body: unknown };

type Row = typeof idempotencyKeys.$inferSelect;

/**
 * Places an order that its sender named. The same order under the same name is the same sale with the same PIX for a day,
 * whether it comes again or at once. An order that was refused leaves nothing: corrected, it may come under its name. A
 * sale that has no PIX yet is kept, and the next try makes one for it.
 * @throws what `placeOrder` does; Refusal mismatch where another order had this name, conflict while it is being placed
 */
export async function placeNamedOrder(order: CheckoutOrder, named: OrderName): Promise<PlacedOrder> {
  const name = JSON.stringify(["order name", named.caller, named.name]);
  const bodies = signaturesOf(JSON.stringify(["named order", named.body]));
  const row = (await claim(name, bodies[0]!)) ?? (await takeOver(name, bodies));
  const { key } = row;
  const productId = order.product && "id" in order.product ? order.product.id : 0;
  if (row.saleId && row.chargeId)
    return { saleId: row.saleId, productId, chargeId: row.chargeId, refusal: null };
  try {
    const placed = row.saleId
      ? { saleId: row.saleId, productId, ...(await startPix(row.saleId)), refusal: null }
      : await placeOrder({ ...order, nameKey: key });
    await db
      .update(idempotencyKeys)
      .set({ saleId: placed.saleId, chargeId: placed.chargeId, busyUntil: NOBODY })
      .where(eq(idempotencyKeys.key, key));
    return placed;
  } catch (error) {
    await letGo(key);
    throw error;
  }
}

/**
 * While APP_SECRET is being changed a name has two keys: whoever claims one looks at the other first, in the name's turn.
 * @returns the row where nobody used the name within a day; null where somebody did
 */
async function claim(name: string, body: string): Promise<Row | null> {
  const [key, ...others] = signaturesOf(name);
  if (others.length === 0) return insertName(db, key!, body);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${hashToken(name)}, 0))`);
    const [found] = await tx
      .select({ key: idempotencyKeys.key })
      .from(idempotencyKeys)
      .where(and(inArray(idempotencyKeys.key, others), gte(idempotencyKeys.createdAt, aDayAgo)));
    return found ? null : insertName(tx, key!, body);
  });
}

async function insertName(tx: Db, key: string, body: string): Promise<Row | null> {
  const [row] = await tx
    .insert(idempotencyKeys)
    .values({ key, body, busyUntil: leaseEnd })
    .onConflictDoUpdate({
      target: idempotencyKeys.key,
      set: { body, busyUntil: leaseEnd, sellerId: null, saleId: null, chargeId: null, createdAt: sql`now()` },
      setWhere: lt(idempotencyKeys.createdAt, aDayAgo),
    })
    .returning();
  return row ?? null;
}

/** @returns the row where its order is placed, or where nobody is at it any more */
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
  // Where it was let go between the two statements the sender comes back.
  const [taken] = found
    ? await db
        .update(idempotencyKeys)
        .set({ busyUntil: leaseEnd })
        .where(
          and(
            eq(idempotencyKeys.key, found.key),
            eq(idempotencyKeys.body, found.body),
            lt(idempotencyKeys.busyUntil, sql`now()`),
          ),
        )
        .returning()
    : [];
  if (taken) return taken;
  throw new Refusal(
    "conflict",
    "O pedido com este Idempotency-Key ainda está sendo feito. Repita em um segundo.",
    undefined,
    COME_BACK,
    "idempotency_key_in_use",
  );
}

const NOBODY = new Date(0);
const leaseEnd = sql`now() + make_interval(secs => ${AT_IT / SECOND})`;
const aDayAgo = sql`now() - make_interval(secs => ${NAMED_FOR / SECOND})`;

/** A name whose order made no sale is free again; of one that did, the next try goes on. */
async function letGo(key: string): Promise<void> {
  await db.execute(sql`with freed as (delete from ${idempotencyKeys} where key = ${key} and sale_id is null)
    update ${idempotencyKeys} set busy_until = ${NOBODY.toISOString()}::timestamptz where key = ${key} and sale_id is not null`);
}
