import { expect, test } from "vitest";
import { pictureQueue } from "#app/domain/picture/prepare-picture.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { photo, plain } from "#tests/support/files/photos.ts";
import { donePicture, sendPicture } from "#tests/support/files/send-file.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

test("pictures are processed in turns per seller, whoever sent more and sooner", async () => {
  const [many, few] = [await makeSeller(), await makeSeller()];
  const send = (seller: { id: string }, count: number, seconds: number) => sql`
    insert into pictures (id, seller_id, use, scheduled_at)
    select gen_random_uuid(), ${seller.id}, 'banner', now() - make_interval(secs => ${seconds}) from generate_series(1, ${count}::int)`;
  await send(many, 10, 60);
  await send(few, 2, 5);
  const claimed = [];
  for (let round = 0; round < 6; round++) claimed.push(...(await pictureQueue.claim(1)));
  const names = new Map([
    [many.id, "many"],
    [few.id, "few"],
  ]);
  expect(claimed.map(({ sellerId }) => names.get(sellerId))).toEqual([
    ...["many", "few", "many", "few"],
    ...["many", "many"],
  ]);
  await sql`delete from pictures where seller_id in (${many.id}, ${few.id})`;
});

longTest(
  "one seller's ten noisy pictures of 25 megapixels keep another's waiting for one of them at most",
  async () => {
    const app = await startApp({ sandbox: false });
    const clientOf = async (seller: { id: string }) => ({ app, headers: await signedIn(seller as never) });
    const [many, other] = [await makeSeller(), await makeSeller()];
    const [theirs, mine] = [await clientOf(many), await clientOf(other)];
    const heavy = await photo(5000, 5000);
    for (let n = 0; n < 10; n++) await sendPicture(theirs, "banner", heavy);
    const ofMany = () => sql`select id from pictures where seller_id = ${many.id} and ready_at is not null`;
    await until(async () => (await ofMany()).length > 0);
    const id = await sendPicture(mine, "product", await plain(800, 800));
    const [sent] = await sql<{ at: Date }[]>`select now() as at`;
    expect(await donePicture(mine, id)).toMatchObject({ state: "ready" });
    const between = await sql`
    select m.id from pictures m, pictures o where o.id = ${id} and m.seller_id = ${many.id}
      and m.ready_at > ${sent!.at} and m.ready_at < o.ready_at`;
    expect(between.length).toBeLessThanOrEqual(1);
    expect((await ofMany()).length).toBeLessThan(10);
  },
);
