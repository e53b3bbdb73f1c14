import { and, count, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { inSellersTurn, refuseStale } from "#app/db/version.server.ts";
import { type Notice, queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { ofFamily, ownDestination } from "#app/domain/outbox/own-destination.server.ts";
import { pixelVersion } from "#app/domain/outbox/pixel/list-pixels.server.ts";
import { pixelOf } from "#app/domain/outbox/pixel/pixel.ts";
import type { PixelFields } from "#app/domain/outbox/pixel/pixel-form.server.ts";
import { PIXEL_NAMES, type PixelSettings } from "#app/domain/outbox/pixel/settings.ts";
import { refuseStrangeProducts } from "#app/domain/outbox/refuse-strange-products.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isMask, seal } from "#app/platform/secrets.server.ts";

/** More than anybody needs, and few enough for every sale to be told to all. */
const MOST = 20;

/**
 * Makes a pixel, and tells its seller by mail. @returns its id
 * @throws Refusal invalid where the token is a mask; not-found for products that are not theirs; conflict beyond 20
 */
export async function createPixel(
  sellerId: string,
  fields: PixelFields,
  from: Notice["from"],
): Promise<string> {
  if (isMask(fields.token)) throw tokenMissing();
  return inSellersTurn(sellerId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(destinations)
      .where(and(eq(destinations.sellerId, sellerId), ofFamily("pixel"), isNull(destinations.deletedAt)));
    if (n >= MOST)
      throw new Refusal("conflict", `Você já tem ${MOST} pixels: exclua um antes de criar outro.`);
    await refuseStrangeProducts(tx, sellerId, fields);
    const [row] = await tx
      .insert(destinations)
      .values({
        sellerId,
        kind: fields.kind,
        ...columnsOf(fields, { countsPixSince: null, testCode: "" }),
        tokenSealed: seal(fields.token),
      })
      .returning({ id: destinations.id });
    await tellOwner(tx, sellerId, fields, from);
    await notify(tx, "storefront", `seller:${sellerId}`);
    return row!.id;
  });
}

/**
 * Keeps what a seller changed of a pixel. Another code is told to the seller by mail.
 * @throws Refusal as `createPixel`; conflict where it was saved since `version`
 */
export async function savePixel(
  sellerId: string,
  id: string,
  fields: PixelFields,
  from: Notice["from"],
  version?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const pixel = await ownDestination(tx, "pixel", sellerId, id);
    refuseStale(version, pixelVersion(pixel));
    if (pixel.kind !== fields.kind) throw new Refusal("invalid", "Um pixel não muda de serviço: crie outro.");
    await refuseStrangeProducts(tx, sellerId, fields);
    const was = pixelOf(pixel);
    const isOther = was.pixelId !== fields.pixel_id;
    if (isMask(fields.token) && isOther) throw tokenMissing();
    await tx
      .update(destinations)
      .set({
        ...columnsOf(fields, was),
        ...(isMask(fields.token) ? {} : { tokenSealed: seal(fields.token) }),
        updatedAt: new Date(),
      })
      .where(eq(destinations.id, pixel.id));
    if (isOther) await tellOwner(tx, sellerId, fields, from);
    await notify(tx, "storefront", `seller:${sellerId}`);
  });
}

function columnsOf(
  { name, pixel_id, events, counts_pix, scope, products: ids }: PixelFields,
  was: Pick<PixelSettings, "countsPixSince" | "testCode">,
) {
  // Sales from before the switch are counted when they are paid.
  const countsPixSince = counts_pix ? (was.countsPixSince ?? new Date().toISOString()) : null;
  const settings: PixelSettings = { pixelId: pixel_id, countsPixSince, testCode: was.testCode };
  return { name, events, productIds: scope === "all" ? null : ids, settings };
}

function tokenMissing(): Refusal {
  return new Refusal("invalid", "Para usar este código, informe o token dele.", "token");
}

async function tellOwner(
  tx: Tx,
  sellerId: string,
  { kind, pixel_id }: PixelFields,
  from: Notice["from"],
): Promise<void> {
  const lines = [`As suas vendas passam a ser informadas a ${PIXEL_NAMES[kind]}, código ${pixel_id}.`];
  await queueSecurityNotice(tx, sellerId, { change: "pixel", from, lines });
}
