import { beforeAll, expect, test, vi } from "vitest";
import { receivePart } from "#app/domain/content/receive-part.server.ts";
import { beginPicture } from "#app/domain/picture/begin-picture.server.ts";
import { findPicture } from "#app/domain/picture/find-picture.server.ts";
import { pictureQueue } from "#app/domain/picture/prepare-picture.server.ts";
import { pendingPictures, pendingStampedCopies } from "#app/metrics/pending-rows.server.ts";
import { log } from "#app/platform/log.server.ts";
import { StorageFull, StorageUnavailable } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { sql } from "#tests/support/database.ts";
import { plain } from "#tests/support/files/photos.ts";
import { makeSeller } from "#tests/support/make.ts";

beforeAll(() => storage.prepare());

async function send(sellerId: string, bytes: Uint8Array) {
  const id = await beginPicture(sellerId, { use: "product", name: "a.png", size: bytes.length });
  await receivePart(sellerId, id, { offset: 0, length: bytes.length }, async function* () {
    yield bytes;
  });
  return id;
}

/** Works on all waiting pictures once, as a worker does. */
async function work() {
  await sql`update pictures set scheduled_at = date_trunc('milliseconds', now()) where scheduled_at is not null`;
  for (const claimed of await pictureQueue.claim(10)) await pictureQueue.handle(claimed).catch(() => {});
}

test.each([
  ["is received", "receivePart"],
  ["is completed", "complete"],
] as const)(
  "a disk that is full while a picture %s leaves no file that counts as an open upload",
  async (_, step) => {
    const seller = await makeSeller();
    const id = await send(seller.id, await plain(60, 60));
    const full = vi.spyOn(storage, step).mockRejectedValue(new StorageFull());
    const abandoned = vi.spyOn(storage, "abandon");
    for (let tries = 0; tries < 2; tries++) await work();
    full.mockRestore();
    expect(await sql`select from files where seller_id = ${seller.id} and ready_at is null`).toEqual([]);
    expect(abandoned).toHaveBeenCalledTimes(2);
    abandoned.mockRestore();
    await work();
    expect(await findPicture(seller.id, id)).toMatchObject({ failure: null, readyAt: expect.any(Date) });
  },
);

test.each([
  ["away", "read", new StorageUnavailable()],
  ["full", "receivePart", new StorageFull()],
] as const)(
  "a picture whose storage was %s is not refused the first time its process dies",
  async (_, step, error) => {
    const seller = await makeSeller();
    const id = await send(seller.id, await plain(60, 60));
    const told = vi.spyOn(log, "error").mockImplementation(() => {});
    const failing = vi.spyOn(storage, step).mockRejectedValue(error);
    for (let tries = 0; tries < 2; tries++) await work();
    failing.mockRestore();
    expect(told).toHaveBeenCalledTimes(2);
    told.mockRestore();
    const dying = vi.spyOn(storage, "read").mockRejectedValue(new Error("the process died"));
    await work();
    expect(await findPicture(seller.id, id)).toMatchObject({ failure: null, readyAt: null });
    await work();
    await work();
    expect(await findPicture(seller.id, id)).toMatchObject({ failure: "heavy" });
    dying.mockRestore();
  },
);

test("the operator learns how long files have waited for a storage that is away, and of none that is put off for itself", async () => {
  const seller = await makeSeller();
  const waited = async () =>
    [await pendingPictures(), await pendingStampedCopies()].map(([, overdue]) =>
      Math.round(overdue!.values[0]![1] / 60),
    );
  expect(await waited()).toEqual([0, 0]);
  const id = await send(seller.id, await plain(60, 60));
  const told = vi.spyOn(log, "error").mockImplementation(() => {});
  const away = vi.spyOn(storage, "read").mockRejectedValue(new StorageUnavailable());
  for (let tries = 0; tries < 3; tries++) await work();
  await sql`update pictures set touched_at = now() - interval '20 minutes' where id = ${id}`;
  const [file] = await sql`insert into files (seller_id, name, size, received, content_type, ready_at)
    values (${seller.id}, 'a.pdf', 10, 10, 'application/pdf', now()) returning id`;
  await sql`insert into stamped_copies (seller_id, file_id, scheduled_at, created_at)
    values (${seller.id}, ${file!.id}, now() + interval '30 seconds', now() - interval '10 minutes')`;
  expect(await waited()).toEqual([20, 10]);
  // Its own process fails: it is due when it is due again.
  await sql`update stamped_copies set attempts = 5 where file_id = ${file!.id}`;
  expect(await waited()).toEqual([20, 0]);
  away.mockRestore();
  told.mockRestore();
  await work();
  expect(await waited()).toEqual([0, 0]);
});
