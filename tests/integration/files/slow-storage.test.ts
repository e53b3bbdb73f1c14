import { expect, test, vi } from "vitest";
import { pictureQueue } from "#app/domain/picture/prepare-picture.server.ts";
import { stampedCopyQueue } from "#app/domain/stamped-copy/make-stamped-copy.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { signedAddress } from "#tests/integration/files/delivery.ts";
import { copiesOfSale, soldStamped } from "#tests/integration/files/stamped.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { pdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { photo } from "#tests/support/files/photos.ts";
import { sendPicture } from "#tests/support/files/send-file.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });

/** While `act` runs, what it stores is stored for as long as `meanwhile` takes: longer than a lease. */
async function storedSlowly(
  table: "stamped_copies" | "pictures",
  { act, meanwhile }: { act: () => Promise<unknown>; meanwhile: () => Promise<void> },
): Promise<void> {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const receivePart = storage.receivePart.bind(storage);
  const storing = vi.spyOn(storage, "receivePart").mockImplementation(async (...part) => {
    await answered;
    return receivePart(...part);
  });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const acting = act();
    await until(() => storing.mock.calls.length > 0);
    await sql`update ${sql(table)} set scheduled_at = date_trunc('milliseconds', now()) where scheduled_at is not null`;
    vi.advanceTimersByTime(90 * SECOND);
    const isRenewed = async () =>
      (await sql`select from ${sql(table)} where scheduled_at > now() + interval '80 seconds'`).length > 0;
    await until(isRenewed, { what: "a renewed lease", seconds: 30 });
    await meanwhile();
    answer();
    await acting;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    answer();
    vi.useRealTimers();
    storing.mockRestore();
  }
}

test("a stamped copy that is stored for longer than a lease is taken by no other worker, and delivered", async () => {
  const { permanent, sale } = await soldStamped(app, await pdf(1));
  const submit = async () => app.fetch(await signedAddress(app, permanent));
  expect((await submit()).status).toBe(202);
  const [claimed] = await stampedCopyQueue.claim(1);
  await storedSlowly("stamped_copies", {
    act: () => stampedCopyQueue.handle(claimed!),
    meanwhile: async () => expect(await stampedCopyQueue.claim(1)).toEqual([]),
  });
  expect(await copiesOfSale(sale.id)).toMatchObject([
    { copy_id: expect.any(String), scheduled_at: null, attempts: 1, failure: null },
  ]);
  const answer = await submit();
  expect(answer.status).toBe(200);
  expect(await stampsOf(new Uint8Array(await answer.arrayBuffer()))).toHaveLength(1);
});

test("a picture that is stored for as long is taken by no other worker, and gets ready", async () => {
  const seller = await makeSeller();
  const client = { app, headers: await signedIn(seller) };
  const picture = await sendPicture(client, "banner", await photo(400, 300));
  const [claimed] = await pictureQueue.claim(1);
  await storedSlowly("pictures", {
    act: () => pictureQueue.handle(claimed!),
    meanwhile: async () => expect(await pictureQueue.claim(1)).toEqual([]),
  });
  expect(
    await sql`select ready_at is not null as "isReady", attempts from pictures where id = ${picture}`,
  ).toEqual([{ isReady: true, attempts: 1 }]);
});
