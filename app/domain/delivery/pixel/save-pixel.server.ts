import { and, count, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { rejectStale, withSellerLock } from "#app/db/version.server.ts";
import { requireOwnProducts } from "#app/domain/catalog/is-own-product.server.ts";
import { chosenProducts } from "#app/domain/delivery/chosen-products.ts";
import { ofFamily, ownDestination } from "#app/domain/delivery/own-destination.server.ts";
import { pixelVersion } from "#app/domain/delivery/pixel/list-pixels.server.ts";
import { pixelOf } from "#app/domain/delivery/pixel/pixel.ts";
import type { PixelFields } from "#app/domain/delivery/pixel/pixel-form.server.ts";
import { PIXEL_NAMES, type PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import { queueSecurityMail, type SecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask, seal } from "#app/platform/secrets.server.ts";

/** More than anybody needs, and few enough to notify all of every sale. */
const MAX_PIXELS = 20;

/**
 * Creates a pixel, and mails its seller. @returns its id
 * @throws Refusal invalid where the token is a mask; not-found for products that are not theirs; conflict beyond 20
 */
export async function createPixel(
  sellerId: string,
  fields: PixelFields,
  from: SecurityMail["origin"],
): Promise<string> {
  if (isMask(fields.token)) throw tokenMissing();
  return withSellerLock(sellerId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(destinations)
      .where(and(eq(destinations.sellerId, sellerId), ofFamily("pixel"), isNull(destinations.deletedAt)));
    if (n >= MAX_PIXELS)
      throw new Refusal("conflict", `Você já tem ${MAX_PIXELS} pixels: exclua um antes de criar outro.`);
    await requireOwnProducts(tx, sellerId, chosenProducts(fields));
    const [row] = await tx
      .insert(destinations)
      .values({
        sellerId,
        kind: fields.kind,
        ...columnsOf(fields, { countsPixSince: null, testCode: "" }),
        tokenSealed: seal(fields.token),
      })
      .returning({ id: destinations.id });
    await notifyOwner(tx, sellerId, fields, from);
    await notify(tx, "storefront", `seller:${sellerId}`);
    return row!.id;
  });
}

/**
 * Saves a pixel. Another pixel id is mailed to the seller.
 * @throws Refusal as `createPixel`; conflict where it was saved since `version`
 */
export async function savePixel(
  sellerId: string,
  id: string,
  fields: PixelFields,
  from: SecurityMail["origin"],
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const pixel = await ownDestination(tx, "pixel", sellerId, id);
    rejectStale(version, pixelVersion(pixel));
    if (pixel.kind !== fields.kind) throw new Refusal("invalid", "Um pixel não muda de serviço: crie outro.");
    await requireOwnProducts(tx, sellerId, chosenProducts(fields));
    const saved = pixelOf(pixel);
    const isOther = saved.pixelId !== fields.pixel_id;
    if (isMask(fields.token) && isOther) throw tokenMissing();
    await tx
      .update(destinations)
      .set({
        ...columnsOf(fields, saved),
        ...(isMask(fields.token) ? {} : { tokenSealed: seal(fields.token) }),
        updatedAt: new Date(),
      })
      .where(eq(destinations.id, pixel.id));
    if (isOther) await notifyOwner(tx, sellerId, fields, from);
    await notify(tx, "storefront", `seller:${sellerId}`);
  });
}

function columnsOf(fields: PixelFields, saved: Pick<PixelSettings, "countsPixSince" | "testCode">) {
  const { name, pixel_id, events, counts_pix } = fields;
  // Sales from before the switch count when they are paid.
  const countsPixSince = counts_pix ? (saved.countsPixSince ?? new Date().toISOString()) : null;
  const settings: PixelSettings = { pixelId: pixel_id, countsPixSince, testCode: saved.testCode };
  return { name, events, productIds: chosenProducts(fields), settings };
}

function tokenMissing(): Refusal {
  return new Refusal("invalid", "Para usar este código, informe o token dele.", "token");
}

async function notifyOwner(
  tx: Tx,
  sellerId: string,
  { kind, pixel_id }: PixelFields,
  from: SecurityMail["origin"],
): Promise<void> {
  const lines = [`As suas vendas passam a ser informadas a ${PIXEL_NAMES[kind]}, código ${pixel_id}.`];
  await queueSecurityMail(tx, sellerId, { change: "pixel", origin: from, lines });
}
