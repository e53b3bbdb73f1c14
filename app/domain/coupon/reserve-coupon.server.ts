import { and, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { couponUses, type offerUses } from "#app/db/schema/uses.server.ts";
import { findCoupons } from "#app/domain/coupon/choose-coupon.server.ts";
import {
  type Coupon,
  type CouponProblem,
  findCouponProblem,
  NOT_FOR_THIS_PURCHASE,
  unknownCoupon,
} from "#app/domain/coupon/coupon.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { hashToken, signaturesOf, unseal } from "#app/platform/secrets.server.ts";

/** Null where not given. */
type Buyer = { email: string | null; document: string | null };

type Product = {
  id: number;
  sellerId: string;
  priceCents: number;
  quantity: number;
  offer: { id: string } | null;
};

/** The hashes by which a buyer's uses are counted: one per known secret, the first is stored. */
export function buyerHashes(sellerId: string, { email, document }: Buyer) {
  return {
    email: email ? signaturesOf(`coupon e-mail:${sellerId}:${email}`) : [],
    document: document ? signaturesOf(`coupon document:${sellerId}:${document}`) : [],
  };
}

/** For a query on sales: whether the sale has reserved a use of its coupon, or the units of its offer, and they were not returned. */
export const holdsUse = (uses: typeof couponUses | typeof offerUses): SQL =>
  sql`exists (select from ${uses} u where u.seller_id = ${sales.sellerId} and u.sale_id = ${sales.id} and u.released_at is null)`;

/** For a query on uses `u`: those of this buyer. */
export function isOfBuyer(sellerId: string, buyer: Buyer): SQL {
  const { email, document } = buyerHashes(sellerId, buyer);
  const anyOf = (values: string[]) =>
    sql`any(${`{${values.map((value) => `"${value}"`).join(",")}}`}::text[])`;
  return sql`(u.email_hash = ${anyOf(email)} or u.document_hash = ${anyOf(document)})`;
}

/**
 * For a query on uses `u` and an order's `own`. `isSameBuyer`: those of that order's buyer, also where the two were hashed with
 * different secrets, or its e-mail was corrected since; `isCounted`: whether the order has what a buyer's uses are counted by.
 */
export async function readBuyerOf(
  tx: Tx,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<{ isSameBuyer: SQL; isCounted: SQL }> {
  const [sale] = await tx
    .select({ email: sales.customerEmail, documentSealed: sales.customerDocumentSealed })
    .from(sales)
    .where(ownById(sales, sellerId, id));
  const document = sale?.documentSealed ? unseal(sale.documentSealed) : null;
  const buyer = { email: sale?.email ?? null, document };
  const isNamed = buyer.email !== null || document !== null;
  return {
    isSameBuyer: sql`(u.email_hash = own.email_hash or u.document_hash = own.document_hash or ${isOfBuyer(sellerId, buyer)})`,
    isCounted: sql`(own.email_hash is not null or own.document_hash is not null or ${isNamed}::boolean)`,
  };
}

/**
 * The keys of the locks under which one buyer's uses of `limited` are counted; none where they are not limited.
 * @param limited what it is and its id: `coupon:…`
 */
export function buyerMutexKeys(
  limited: string,
  isPerBuyer: boolean | undefined,
  { email, document }: Buyer,
): string[] {
  if (!isPerBuyer) return [];
  return [email, document].flatMap((one) => (one ? [hashToken(`${limited}:${one}`)] : [])).sort();
}

/** For a statement: the end has not passed for longer than the grace period. `graceMs` null: it does not matter. */
export const hasNotEnded = (endsAt: PgColumn, graceMs: number | null): SQL =>
  graceMs === null
    ? sql`true`
    : sql`coalesce(${endsAt} > now() - make_interval(secs => ${graceMs / SECOND}), true)`;

/** Active, started and not ended (see `hasNotEnded`), and a use is left. */
const isUsable = (
  graceMs: number | null,
) => sql`${coupons.archivedAt} is null and ${coupons.deactivatedAt} is null
  and coalesce(${coupons.startsAt} <= now(), true) and ${hasNotEnded(coupons.endsAt, graceMs)}
  and coalesce(${coupons.uses} < ${coupons.maxUses}, true)`;

/** How many uses a buyer may have at once; null: any number. An order that is not paid yet is a first purchase, too. */
const maxUsesOfBuyer = sql`least(${coupons.maxUsesPerBuyer}, case when ${coupons.isFirstPurchaseOnly} then 1 end)`;

/**
 * Reserves a use of a coupon for an order that is about to be written: the row that counts uses is locked until the end
 * of the transaction, so no more are reserved than there are. The caller holds the locks of `buyerMutexKeys`.
 * @throws Refusal coupon-used-up, coupon-expired and the like; coupon-not-valid where this buyer may not use it
 */
export async function reserveCoupon(tx: Tx, coupon: Coupon, product: Product, buyer: Buyer): Promise<void> {
  const { sellerId } = product;
  // The payment of an earlier order holds no lock of `buyerMutexKeys`, only that of this row: the next statement sees its use.
  if (coupon.isPerBuyer)
    await tx
      .select({ id: coupons.id })
      .from(coupons)
      .where(ownById(coupons, sellerId, coupon.id))
      .for("no key update");
  const usesOfBuyer = sql`(select count(*) from ${couponUses} u where u.coupon_id = ${coupon.id} and u.released_at is null
    and ${isOfBuyer(sellerId, buyer)})`;
  const hasBought = sql`exists (select from ${sales} s where s.seller_id = ${sellerId} and s.customer_email = ${buyer.email}
    and s.completed_at is not null)`;
  const [reserved] = await tx
    .update(coupons)
    .set({ uses: sql`${coupons.uses} + 1` })
    .where(
      and(
        ownById(coupons, sellerId, coupon.id),
        isUsable(0),
        sql`coalesce(${maxUsesOfBuyer} > ${usesOfBuyer}, true)`,
        sql`not (${coupons.isFirstPurchaseOnly} and ${hasBought})`,
      ),
    )
    .returning({ id: coupons.id });
  if (!reserved) throw couponRefusal(await findReason(tx, coupon, product));
}

async function findReason(tx: Tx, { code }: Coupon, product: Product): Promise<CouponProblem> {
  const [now] = await findCoupons(product.sellerId, [code], tx);
  return now ? (findCouponProblem(now, product) ?? NOT_FOR_THIS_PURCHASE) : unknownCoupon(code);
}

/** The refusal of an order whose coupon is not valid; its code is the rule. */
export function couponRefusal({ rule, message }: CouponProblem): Refusal {
  return new Refusal("conflict", `${message} Nada foi cobrado.`, "coupon", undefined, rule);
}

/**
 * Reserves the use of an order's coupon for a card, or again for its next PIX where its last one has ended.
 * @param graceMs how long after its end; null: whenever that was
 * @returns false where the coupon cannot be used any more, or not by this buyer: the caller undoes the transaction
 */
export async function reserveCouponAgain(
  tx: Tx,
  { id, sellerId }: { id: string; sellerId: string },
  graceMs: number | null,
): Promise<boolean> {
  // A statement of its own: only the next one sees what another order of this buyer wrote while this one waited for the coupon's
  // row. The order's use is locked before the coupon, as in `count_reserved`.
  const [again] = await tx.execute(sql`
    with again as (
      update ${couponUses} set released_at = null
      where seller_id = ${sellerId} and sale_id = ${id} and released_at is not null
      returning coupon_id
    )
    select from again inner join ${coupons} on ${coupons.id} = again.coupon_id for no key update of ${coupons}`);
  if (!again) return true;
  const isLeft = await isLeftForBuyer(tx, { id, sellerId });
  const [counted] = await tx.execute(sql`
    update ${coupons} set uses = uses + 1 from ${couponUses} own
    where own.seller_id = ${sellerId} and own.sale_id = ${id}
      and ${coupons.sellerId} = ${sellerId} and ${coupons.id} = own.coupon_id and ${isUsable(graceMs)}
      and ${isLeft}
    returning ${coupons.id}`);
  return counted !== undefined;
}

/**
 * Refuses an order by card whose buyer has used its coupon up, before the card is typed: no use is reserved yet.
 * @throws Refusal coupon-not-valid
 */
export async function refuseUsedByBuyer(tx: Tx, sale: { id: string; sellerId: string }): Promise<void> {
  const isLeft = await isLeftForBuyer(tx, sale);
  const [refused] = await tx.execute(sql`
    select from ${couponUses} own inner join ${coupons} on ${coupons.sellerId} = own.seller_id and ${coupons.id} = own.coupon_id
    where own.seller_id = ${sale.sellerId} and own.sale_id = ${sale.id} and own.released_at is not null and not (${isLeft})`);
  if (refused) throw couponRefusal(NOT_FOR_THIS_PURCHASE);
}

/** For a statement on coupons and a sale's `own` use: no limit per buyer excludes this use. */
async function isLeftForBuyer(tx: Tx, { id, sellerId }: { id: string; sellerId: string }): Promise<SQL> {
  const { isSameBuyer, isCounted } = await readBuyerOf(tx, { id, sellerId });
  return sql`coalesce(${maxUsesOfBuyer} > (select count(*) from ${couponUses} u
      where u.coupon_id = own.coupon_id and u.released_at is null and u.sale_id <> own.sale_id
        and ${isSameBuyer}), true)
    and (${maxUsesOfBuyer} is null or ${isCounted})
    and not (${coupons.isFirstPurchaseOnly} and exists (
      select from ${sales} mine inner join ${sales} s on s.seller_id = mine.seller_id and s.customer_email = mine.customer_email
      where mine.seller_id = ${sellerId} and mine.id = ${id} and s.completed_at is not null))`;
}
