import { and, count, eq, isNull, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { rejectStale, withSellerLock } from "#app/db/version.server.ts";
import { requireOwnProducts } from "#app/domain/catalog/is-own-product.server.ts";
import { switchColumns } from "#app/domain/delivery/change-destination.server.ts";
import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import { FAMILY_TEXTS, MAX_PER_FAMILY } from "#app/domain/delivery/family-texts.ts";
import type { CommonFields, DestinationKind, DestinationRow, Family } from "#app/domain/delivery/kind.ts";
import { versionOfRow } from "#app/domain/delivery/list-destinations.server.ts";
import { ofFamily, ownDestination } from "#app/domain/delivery/own-destination.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { checkOutgoingAddress, ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";
import { isMask, isSameSecret, seal, unseal } from "#app/platform/secrets.server.ts";
import { DELIVERIES } from "#app/queue/names.ts";

/** A form that its kind's schema accepted. */
type Form = CommonFields & { kind?: string };

/**
 * Creates a destination, and mails its seller. @returns its id
 * @throws Refusal invalid for a token that is a mask, or an address we do not call; not-found for products that are not
 * theirs; conflict beyond 20
 */
export async function createDestination(
  family: Family,
  sellerId: string,
  form: Form,
  from: RequestOrigin | undefined,
): Promise<string> {
  const kind = kindOf(form.kind ?? family);
  await refuseInside(kind, form);
  return withSellerLock(sellerId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(destinations)
      .where(and(eq(destinations.sellerId, sellerId), ofFamily(family), isNull(destinations.deletedAt)));
    if (n >= MAX_PER_FAMILY) throw new Refusal("conflict", FAMILY_TEXTS[family].tooMany);
    return storeDestination(tx, kind, null, { sellerId, form, from });
  });
}

/**
 * Saves a destination. Another receiver is mailed to the seller.
 * @throws Refusal as `createDestination`; invalid for another kind; conflict where it was saved since `version`
 */
export async function saveDestination(
  family: Family,
  sellerId: string,
  id: string,
  form: Form,
  from: RequestOrigin | undefined,
  version?: string,
  currentVersionOf = versionOfRow,
): Promise<void> {
  await refuseInside(kindOf(form.kind ?? family), form);
  await db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    rejectStale(version, currentVersionOf(row));
    if (row.kind !== (form.kind ?? family)) throw new Refusal("invalid", FAMILY_TEXTS[family].keepsService);
    await storeDestination(tx, kindOf(row.kind), row, { sellerId, form, from });
  });
}

/** The same within a transaction, for an address that was checked. `row` is null for a new one. @returns its id */
export async function storeDestination(
  tx: Db,
  kind: DestinationKind,
  row: DestinationRow | null,
  { sellerId, form, from }: { sellerId: string; form: Form; from: RequestOrigin | undefined },
): Promise<string> {
  const token = chooseToken(kind, row, form);
  const saved = row?.settings ?? null;
  const savedToken = row?.tokenSealed ? unseal(row.tokenSealed) : null;
  const isNewToken = Boolean(token) && !(savedToken && isSameSecret(savedToken, token!));
  const hasToken = Boolean(token === undefined ? savedToken : token);
  const own = await kind.columnsOf(form, { tx, sellerId, row, saved, isNewToken, hasToken });
  const isNewReceiver = kind.changesReceiver(form, saved, isNewToken);
  // That the previous receiver failed, or asked us to wait, does not hold for another one.
  const isAnother = row !== null && (isNewReceiver || isNewToken);
  const set = {
    name: form.name,
    productIds:
      own.productIds === undefined ? await chosenProducts(tx, form, { sellerId, row }) : own.productIds,
    ...(isAnother ? { failingSince: null, backoffUntil: null } : {}),
    ...(row && form.is_active !== undefined ? switchColumns(row, form.is_active) : {}),
    ...own,
    // Sealing the same text twice gives two results, so an unchanged one stays as it is.
    ...(token === undefined ? {} : { tokenSealed: token ? seal(token) : null }),
    updatedAt: new Date(),
  };
  const secret = kind.newSecret ? { secretSealed: seal(kind.newSecret()) } : {};
  const [stored] = row
    ? await tx.update(destinations).set(set).where(eq(destinations.id, row.id)).returning()
    : await tx
        .insert(destinations)
        .values({ sellerId, kind: kind.id, ...set, ...secret })
        .returning();
  if (isAnother) await retryNow(tx, row);
  if (isNewReceiver)
    await queueSecurityMail(tx, sellerId, {
      change: kind.family ?? "tracking",
      origin: from,
      lines: [kind.receiverText(form)],
    });
  // Whether the checkout asks for consent depends on them.
  if (kind.advertiser) await notify(tx, "storefront", `seller:${sellerId}`);
  return stored!.id;
}

/** Schedules what waits for an attempt. It has all its retries: the failed ones were the previous receiver's. */
async function retryNow(tx: Db, { id, sellerId }: DestinationRow): Promise<void> {
  const waiting = sql`array(select o.id from ${deliveries} o
    where o.seller_id = ${sellerId} and o.destination_id = ${id} and o.status = 'queued' and (o.scheduled_at > now() or o.attempts > 0)
      and (o.leased_until is null or o.leased_until <= now()) order by o.id for update skip locked)`;
  const scheduled = await tx
    .update(deliveries)
    .set({
      ...{ attempts: 0, nextAttemptAt: null },
      // Without a time it waits for another delivery.
      scheduledAt: sql`case when ${deliveries.scheduledAt} is not null then now() end`,
    })
    .where(sql`${deliveries.id} = any(${waiting})`)
    .returning({ id: deliveries.id });
  if (scheduled.length > 0) await notify(tx, "due", DELIVERIES);
}

const NO_TOKEN =
  "Chaves e tokens só têm letras sem acento, números e sinais comuns, e este tem outro caractere. Copie de novo, inteiro.";

/**
 * The token that a form means: undefined for the saved one, null for none. A saved one goes to no other receiver than it
 * was given for.
 * @throws Refusal invalid, also for one with characters that no token has
 */
export function chooseToken(
  kind: DestinationKind,
  row: DestinationRow | null,
  form: Form,
): string | null | undefined {
  const { tokenRules: rules } = kind;
  if (!rules) return null;
  const choose = rules.choose ?? ((typed) => (typed === undefined || isMask(typed) ? undefined : typed));
  const chosen = choose(form.token, row === null);
  const token = chosen === undefined && row ? rules.replace?.(form, row.settings) : chosen;
  // No header can carry anything else: each call would fail as if nobody answered.
  if (token && !/^[\x20-\x7e]+$/.test(token)) throw new Refusal("invalid", NO_TOKEN, rules.missing.field);
  const isMissing = row === null || (row.tokenSealed !== null && rules.isNeeded(form, row.settings));
  if (token !== undefined || !isMissing) return token;
  throw new Refusal("invalid", rules.missing.text, rules.missing.field);
}

/** @throws Refusal invalid where the address is not one we call */
export async function refuseInside(kind: DestinationKind, form: unknown): Promise<void> {
  const address = kind.urlOf?.(form);
  if (!address) return;
  try {
    await checkOutgoingAddress(address.url);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new Refusal("invalid", error.reason, address.field);
    throw error;
  }
}

/** The chosen products; null for all, including future ones. @throws Refusal not-found where some are not the seller's */
async function chosenProducts(
  tx: Db,
  { scope = "all", products: ids = [] }: Form,
  { sellerId, row }: { sellerId: string; row: DestinationRow | null },
): Promise<number[] | null> {
  if (scope === "all") return null;
  // A product that was deleted since it was chosen may stay in the list.
  const added = ids.filter((id) => !row?.productIds?.includes(id));
  await requireOwnProducts(tx, sellerId, added);
  return ids;
}
