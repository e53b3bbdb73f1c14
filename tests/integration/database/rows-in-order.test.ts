import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { cleanPictures } from "#app/domain/picture/clean-pictures.server.ts";
import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { pictureAddress } from "#app/domain/picture/picture-address.server.ts";
import { requireOwnPictures } from "#app/domain/picture/require-own-pictures.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";

// What changes several rows locks them by their id, whatever their order on disk: two of them at once would otherwise wait for
// each other. Here the one with the greater id comes first.
const IDS = { late: "ffffffff-0000-4000-8000-000000000000", early: "00000000-0000-4000-8000-000000000000" };

/** Runs `change` while the row with the smaller id is locked, and checks that it has not locked the other one. */
async function inOrder(table: string, change: () => Promise<unknown>): Promise<void> {
  const lock = await holdLock((tx) => tx`select from ${tx(table)} where id = ${IDS.early} for update`);
  const changing = change();
  await untilLockedOut();
  const free = await sql`select id from ${sql(table)} where id = ${IDS.late} for update skip locked`;
  await lock.release();
  await changing;
  expect(free).toHaveLength(1);
  await sql`delete from ${sql(table)}`;
}

test("mailed links that a new one replaces", async () => {
  const { id, email } = await makeSeller();
  for (const token of [IDS.late, IDS.early])
    await sql`insert into email_tokens (id, seller_id, purpose, email, token_hash, expires_at)
      values (${token}, ${id}, 'reset', 'antes@exemplo.com.br', ${token}, now() + interval '1 hour')`;
  await inOrder("email_tokens", () => requestPasswordReset(email));
});

/** Two pictures of a seller that a product shows. */
async function makePictures() {
  const seller = await makeSeller();
  const pack = crypto.randomUUID();
  await sql`insert into files ${sql({ id: pack, seller_id: seller.id, name: "p", size: 1 })}`;
  const addresses: string[] = [];
  const ready = { ready_at: new Date(), touched_at: new Date(Date.now() - 2 * DAY) };
  for (const [nth, id] of [IDS.late, IDS.early].entries()) {
    const key = `${"a".repeat(31)}${nth}`;
    const shape = { use: "product", width: 8, height: 8, fallback: "jpg" } as const;
    await sql`insert into pictures ${sql({ id, seller_id: seller.id, key, pack_id: pack, ...shape, ...ready })}`;
    addresses.push(pictureAddress({ ...shape, key } as PictureRow)!);
  }
  const [image_url, banner_image_url] = addresses;
  await makeProduct(seller, { imageUrl: image_url!, bannerImageUrl: banner_image_url! });
  return { seller, addresses: { image_url, banner_image_url } };
}

test("pictures that a saved form names", async () => {
  const { seller, addresses } = await makePictures();
  await inOrder("pictures", () => db.transaction((tx) => requireOwnPictures(tx, seller.id, addresses)));
});

test("pictures that are in use", async () => {
  await makePictures();
  await inOrder("pictures", cleanPictures);
});
