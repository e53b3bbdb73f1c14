import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { signedAddress, soldFile } from "#tests/integration/files/delivery.ts";
import { startS3, storageSettings } from "#tests/integration/files/s3.ts";
import { copiesOfSale, soldStamped } from "#tests/integration/files/stamped.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { pdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { photo } from "#tests/support/files/photos.ts";
import { announceFile, preparedPicture, sendPart } from "#tests/support/files/send-file.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const s3 = await startS3();
const app = await startApp({ sandbox: false, env: storageSettings(s3) });

test("a PDF is stamped with files in a bucket, and its buyer is redirected to the copy there", async () => {
  const { permanent, sale, buyer, upload } = await soldStamped(app, await pdf(3));
  const led = await until(async () => {
    const answer = await app.fetch(await signedAddress(app, permanent));
    return answer.status === 202 ? null : answer;
  });
  const address = new URL(led.headers.get("location")!);
  const [{ copy_id: copy }] = (await copiesOfSale(sale.id)) as unknown as [{ copy_id: string }];
  expect([address.origin, address.pathname]).toEqual([s3.bucket.endpoint, `/${s3.bucket.bucket}/${copy}`]);
  expect(copy).not.toBe(upload.id);
  const answer = await fetch(address);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="apostila.pdf"; filename*=UTF-8''apostila.pdf`,
  });
  const line = `Licenciado para ${buyer}`;
  const stamped = await stampsOf(new Uint8Array(await answer.arrayBuffer()));
  expect(stamped).toEqual([1, 2, 3].map(() => [line, line]));
});

test("a picture is processed and shown with files in a bucket", async () => {
  const client = { app, headers: await signedIn(await makeSeller()) };
  const picture = await preparedPicture(client, "logo", await photo(300, 200));
  const shown = await app.fetch(new URL(picture.url!).pathname);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(
    Buffer.from(await shown.arrayBuffer())
      .subarray(0, 3)
      .toString("hex"),
  ).toBe("ffd8ff");
});

// Last: the bucket does not come back.
test("while a bucket is unreachable nothing counts as lost, and an upload keeps what it has", async () => {
  const { permanent, seller, product, client } = await soldFile(app, new Uint8Array(randomBytes(1000)));
  const address = await signedAddress(app, permanent);
  const content = new Uint8Array(randomBytes(8 * 1024 * 1024 + 10));
  const announced = { product_id: product.id, name: "a.bin", size: content.length };
  const upload = await announceFile(client, announced);
  const part = content.subarray(0, upload.part_size);
  expect((await sendPart(client, upload, 0, part)).status).toBe(200);
  await s3.close();
  expect((await app.fetch(address)).status).toBe(503);
  expect(await sql`select from mails where kind = 'missing-file' and seller_id = ${seller.id}`).toHaveLength(
    0,
  );
  const refused = await sendPart(client, upload, part.length, content.subarray(part.length));
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "storage_away" }]);
  expect(await sql`select received::int, ready_at from files where id = ${upload.id}`).toEqual([
    { received: part.length, ready_at: null },
  ]);
  await expect(announceFile(client, announced)).rejects.toThrow("storage_away");
});
