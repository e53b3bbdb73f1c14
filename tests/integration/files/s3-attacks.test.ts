import { createHash, randomBytes, randomUUID } from "node:crypto";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import { bucketStore } from "#app/platform/storage/bucket-store.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { addressesOf, signedAddress, soldFile } from "#tests/integration/files/delivery.ts";
import { startS3, storageSettings } from "#tests/integration/files/s3.ts";
import { signatureOf } from "#tests/integration/files/s3-signature.ts";
import { ODD_TEXTS } from "#tests/integration/outside/odd-values.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { announceFile, sendFile, sendPart, type Upload } from "#tests/support/files/send-file.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const s3 = await startS3();
const app = await startApp({ sandbox: false, env: storageSettings(s3) });
const PART = 8 * 1024 * 1024;
const bytes = (size: number) => new Uint8Array(randomBytes(size));
const hash = (content: Uint8Array | ArrayBuffer) =>
  createHash("sha256")
    .update(Buffer.from(content as ArrayBuffer))
    .digest("hex");

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { fileUrl: null });
  return { seller, product, client: { app, headers: await signedIn(seller) } };
}

const filesOf = (productId: number) => sql<{ name: string; file_id: string }[]>`
  select i.name, i.file_id from content_items i join contents c on c.id = i.content_id
  where c.product_id = ${productId} order by i.position`;

/** What the buyer of a product's first file gets from the bucket. */
async function bought(product: Parameters<typeof makeSale>[0]) {
  const sale = await makeSale(product, { status: "completed" });
  const { permanent } = await addressesOf(sale.id);
  const led = await app.fetch(await signedAddress(app, permanent));
  const address = led.headers.get("location")!;
  return { sale, permanent, address, answer: await fetch(address) };
}

async function cleanUp() {
  await db.transaction((tx) => enqueue(tx, cleanFiles, {}));
  const before = app.log().filter(({ msg }) => msg === "files cleaned up").length;
  await until(() => app.log().filter(({ msg }) => msg === "files cleaned up").length > before);
}

longTest(
  "a part sent by several at once, each with other bytes, is one of theirs and never a mixture",
  async () => {
    const { product, client } = await shop();
    const last = bytes(5);
    const versions = [1, 2, 3].map(() => bytes(PART));
    const upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: PART + 5 });
    const answers = await Promise.all(versions.map((part) => sendPart(client, upload, 0, part)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const taken = versions[answers.findIndex(({ ok }) => ok)]!;
    const done = (await (await sendPart(client, upload, PART, last)).json()) as Upload;
    expect(done.ready_at).not.toBeNull();
    const { answer } = await bought(product);
    expect(hash(await answer.arrayBuffer())).toBe(hash(Buffer.concat([taken, last])));
  },
);

test("a part sent late by a superseded request replaces no other", async () => {
  const blobStore = bucketStore(s3.bucket);
  const key = randomUUID();
  const [mine, late] = [bytes(1000), bytes(1000)];
  const upload = { key, ref: await blobStore.begin(key), size: 1000 };
  const send = async (part: Uint8Array) => {
    const taken = await blobStore.receivePart(upload, { number: 1, offset: 0, length: 1000 }, each(part));
    return taken.commit();
  };
  const tag = await send(mine);
  await send(late);
  await blobStore.complete(upload, [tag]);
  expect(hash(await buffer(await blobStore.read(key, 0, 999)))).toBe(hash(mine));
});

async function* each(...pieces: Uint8Array[]) {
  yield* pieces;
}

/** A part without an announced length. */
function sendChunked(client: Awaited<ReturnType<typeof shop>>["client"], id: string, part: Uint8Array) {
  return new Promise<number>((done, fail) => {
    const sending = request(
      new URL(`/api/uploads/${id}?offset=0`, app.url),
      {
        method: "PUT",
        headers: {
          ...client.headers,
          "X-Forwarded-For": newAddress(),
          "Content-Type": "application/octet-stream",
          "Transfer-Encoding": "chunked",
        },
      },
      (answer) => {
        answer.resume();
        done(answer.statusCode!);
      },
    );
    sending.once("error", fail);
    sending.end(part);
  });
}

test("a part larger than announced is refused, also without a length", async () => {
  const { product, client } = await shop();
  const content = bytes(1000);
  const announced = { product_id: product.id, name: "a.bin", size: content.length };
  const upload = await announceFile(client, announced);
  for (const length of [1001, PART, 999, 0])
    expect((await sendPart(client, upload, 0, bytes(length))).status, String(length)).toBe(400);
  for (const length of [1001, 70_000])
    expect(await sendChunked(client, upload.id, bytes(length)), `chunked ${length}`).toBe(400);
  expect(await sql`select received::int from files where id = ${upload.id}`).toEqual([{ received: 0 }]);
  expect(await filesOf(product.id)).toEqual([]);
  expect(app.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(await sendChunked(client, upload.id, content)).toBe(200);
  const { answer } = await bought(product);
  expect(hash(await answer.arrayBuffer())).toBe(hash(content));
});

longTest("an upload that is completed by many at once, and once more, is one file", async () => {
  const { product, client } = await shop();
  const content = bytes(PART + 7);
  const upload = await sendFile(client, { product_id: product.id, name: "a.bin" }, content);
  const again = () => sendPart(client, upload, PART, content.subarray(PART));
  expect((await again()).status).toBe(200);
  // As if the receiver of the last part had died before answering.
  await sql`update files set ready_at = null, content_type = null where id = ${upload.id}`;
  await sql`delete from content_items where file_id = ${upload.id}`;
  const finish = () => sendPart(client, upload, content.length, new Uint8Array(0));
  const answers = await Promise.all(Array.from({ length: 6 }, finish));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(await filesOf(product.id)).toEqual([{ name: "a.bin", file_id: upload.id }]);
  const { answer } = await bought(product);
  expect(hash(await answer.arrayBuffer())).toBe(hash(content));
});

test("an upload cancelled while its part arrives is gone, and the answer says so", async () => {
  const { product, client } = await shop();
  const upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: PART });
  const cancel = () => app.fetch(`/api/uploads/${upload.id}`, { method: "DELETE", headers: client.headers });
  const [part, gone] = await Promise.all([sendPart(client, upload, 0, bytes(PART)), cancel()]);
  // Whichever came first.
  expect([200, 404, 409]).toContain(part.status);
  expect(gone.status).toBe(200);
  if (part.status !== 200) expect(await filesOf(product.id)).toEqual([]);
});

test("abandoned uploads are forgotten after a week, and go on under no id", async () => {
  const { seller, product, client } = await shop();
  const upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: PART + 1 });
  expect((await sendPart(client, upload, 0, bytes(PART))).status).toBe(200);
  await sql`update files set touched_at = now() - interval '8 days' where seller_id = ${seller.id}`;
  await cleanUp();
  expect(await sql`select id from files where seller_id = ${seller.id}`).toEqual([]);
  expect((await sendPart(client, upload, PART, bytes(1))).status).toBe(404);
  expect((await fetch(`${s3.bucket.endpoint}/${s3.bucket.bucket}/${upload.id}`)).ok).toBe(false);
});

test("another seller's upload is not found, whatever the request", async () => {
  const [owner, other] = [await shop(), await shop()];
  const upload = await announceFile(owner.client, { product_id: owner.product.id, name: "a", size: 10 });
  const mine = other.client.headers;
  const path = `/api/uploads/${upload.id}`;
  const requested = await Promise.all([
    app.fetch(path, { headers: mine }),
    app.fetch(path, { method: "DELETE", headers: mine }),
    sendPart(other.client, upload, 0, bytes(10)),
    sendPart(other.client, upload, 10, bytes(0)),
  ]);
  expect(requested.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await sendPart(owner.client, upload, 0, bytes(10))).status).toBe(200);
  const [item] = await sql`select id from content_items where file_id = ${upload.id}`;
  const announced = { name: "x", size: 10 };
  for (const theirs of [
    { product_id: owner.product.id },
    { product_id: other.product.id, replaces: item!.id as string },
    { product_id: owner.product.id, replaces: item!.id as string },
  ])
    await expect(announceFile(other.client, { ...announced, ...theirs })).rejects.toThrow("404");
});

const NAMES = [
  ...ODD_TEXTS.filter(([, text]) => text !== ""),
  ["signs that signatures are written with", "a!'()*~&=+%20#?;,:@$ b.pdf"],
  ["folders", "../../../etc/passwd"],
  ["another header", 'a"; filename="x.exe'],
  ["an error's answer", "<Error><Code>NoSuchKey</Code></Error>.pdf"],
  ["accents", "Ação – “lição” nº 1 ½.pdf"],
  ["pictures", "📕🎸.pdf"],
] as [string, string][];

test("files of any name come from the bucket for saving, whole and under a name of one line", async () => {
  const { product, client } = await shop();
  const content = bytes(100);
  const first = await sendFile(client, { product_id: product.id, name: "a.pdf" }, content);
  const [item] = await sql<{ id: string }[]>`select id from content_items where file_id = ${first.id}`;
  for (const [what, name] of everyNth(4, NAMES)) {
    const announced = {
      product_id: product.id,
      name: name.slice(0, 1000),
      size: content.length,
      replaces: item!.id,
    };
    const upload = await announceFile(client, announced).catch((error: Error) => error);
    if (upload instanceof Error) {
      // None of it is left to be shown.
      expect([what, upload.message]).toEqual([
        expect.stringMatching(/^(NUL|half|blanks)/),
        expect.stringMatching(/^400/),
      ]);
      continue;
    }
    expect((await sendPart(client, upload, 0, content)).status, what).toBe(200);
    // A sale's downloads of one item are limited.
    const { permanent } = await addressesOf((await makeSale(product, { status: "completed" })).id);
    const led = await app.fetch(await signedAddress(app, permanent));
    expect([led.status, led.status === 302 ? "" : await led.text()], what).toEqual([302, ""]);
    const address = new URL(led.headers.get("location")!);
    expect(address.pathname, what).toBe(`/${s3.bucket.bucket}/${upload.id}`);
    const signed = address.searchParams.get("X-Amz-Signature");
    expect(signatureOf(address.href, s3.bucket.secretKey), what).toBe(signed);
    const answer = await fetch(address);
    expect([answer.status, hash(await answer.arrayBuffer())], what).toEqual([200, hash(content)]);
    const disposition = answer.headers.get("content-disposition")!;
    expect(disposition, what).toMatch(
      /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.!~*'()%-]+$/,
    );
    expect(decodeURIComponent(disposition.split("UTF-8''")[1]!), what).not.toMatch(/[/\\\n\r"]/);
  }
});

test("a signed address opens no other file, nor one that was deleted, and no new one is given", async () => {
  const { permanent, upload, seller, client, product } = await soldFile(app, bytes(100));
  const other = await soldFile(app, bytes(50));
  const led = await app.fetch(await signedAddress(app, permanent));
  const address = led.headers.get("location")!;
  expect((await fetch(address)).status).toBe(200);
  const signed = new URL(address).searchParams.get("X-Amz-Signature");
  const signature = (at: string, method?: string) => signatureOf(at, s3.bucket.secretKey, method);
  expect(signature(address)).toBe(signed);
  for (const method of ["PUT", "DELETE", "POST"]) expect(signature(address, method)).not.toBe(signed);
  for (const changed of [
    address.replace(upload.id, other.upload.id),
    address.replace(/X-Amz-Expires=\d+/, "X-Amz-Expires=604000"),
    address.replace(/response-content-type=[^&]+/, "response-content-type=text%2Fhtml"),
  ]) {
    expect(changed).not.toBe(address);
    expect(signature(changed), changed).not.toBe(signed);
  }
  const { item } = await addressesOf((await makeSale(product, { status: "completed" })).id);
  const replaced = { product_id: product.id, name: "v2.pdf", replaces: item };
  await sendFile(client, replaced, bytes(10));
  await sql`update files set touched_at = now() - interval '2 days' where seller_id = ${seller.id}`;
  await cleanUp();
  expect((await fetch(address)).status).toBe(404);
  const now = await app.fetch(await signedAddress(app, permanent));
  expect(now.headers.get("location")).not.toContain(upload.id);
});
