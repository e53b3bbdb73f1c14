import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bucketKeeper } from "#app/platform/storage/bucket.server.ts";
import { folderKeeper } from "#app/platform/storage/folder.server.ts";
import { FileGone, type Keeper, PART_BYTES, StorageAway, StorageFull } from "#app/platform/storage/keeper.ts";
import { GROWN_UP, startS3 } from "#tests/integration/files/s3.ts";

const s3 = await startS3();
const folder = mkdtempSync(".cache/folder-");

afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const inFolder = folderKeeper(folder);
const inBucket = bucketKeeper(s3.bucket);
const keepers: [string, Keeper][] = [
  ["folder", inFolder],
  ["bucket", inBucket],
];
await inFolder.prepare();

async function* pieces(bytes: Uint8Array, size = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function send(keeper: Keeper, content: Buffer) {
  const key = randomUUID();
  const upload = { key, ref: await keeper.begin(key), size: content.length };
  const tags: string[] = [];
  for (let offset = 0; offset < content.length; offset += PART_BYTES) {
    const part = content.subarray(offset, offset + PART_BYTES);
    const taken = await keeper.take(
      upload,
      { number: tags.length + 1, offset, length: part.length },
      pieces(part),
    );
    expect(taken.bytes).toBe(part.length);
    tags.push(await taken.add());
  }
  return { key, upload, tags };
}

async function halvesOf(keeper: Keeper, before: number) {
  const found: { key: string; ref: string | null }[] = [];
  for await (const half of keeper.halvesBefore(new Date(before))) found.push(half);
  return found;
}

async function read(keeper: Keeper, key: string, from: number, to: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await keeper.read(key, from, to)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe.each(keepers)("a %s", (_, keeper) => {
  test("gives back what it was given in parts, whole and by stretches", async () => {
    const content = randomBytes(2 * PART_BYTES + 1234);
    const { key, upload, tags } = await send(keeper, content);
    await keeper.complete(upload, tags);
    expect((await read(keeper, key, 0, content.length - 1)).equals(content)).toBe(true);
    const stretch = await read(keeper, key, PART_BYTES - 10, PART_BYTES + 9);
    expect(stretch.equals(content.subarray(PART_BYTES - 10, PART_BYTES + 10))).toBe(true);
  });

  test("has nothing under a key before all parts are one", async () => {
    const { key, upload, tags } = await send(keeper, randomBytes(1000));
    await expect(read(keeper, key, 0, 9)).rejects.toThrow(FileGone);
    await keeper.complete(upload, tags);
    expect(await read(keeper, key, 0, 9)).toHaveLength(10);
  });

  test("completes twice, and by two at once, as once", async () => {
    const content = randomBytes(5000);
    const { key, upload, tags } = await send(keeper, content);
    await Promise.all([keeper.complete(upload, tags), keeper.complete(upload, tags)]);
    await keeper.complete(upload, tags);
    expect((await read(keeper, key, 0, 4999)).equals(content)).toBe(true);
  });

  test("removes a file, and does not mind what it never had", async () => {
    const { key, upload, tags } = await send(keeper, randomBytes(1000));
    await keeper.complete(upload, tags);
    await keeper.remove(key);
    await keeper.remove(key);
    await expect(read(keeper, key, 0, 9)).rejects.toThrow(FileGone);
  });
});

// The S3 server of these tests knows no half uploads: it neither lists nor abandons them.
describe.each(GROWN_UP ? keepers : keepers.slice(0, 1))("half a file in a %s", (_, keeper) => {
  test("is forgotten, and one that never was does no harm", async () => {
    const half = await send(keeper, randomBytes(1000));
    await keeper.abandon(half.upload);
    await keeper.abandon(half.upload);
    await expect(keeper.complete(half.upload, half.tags)).rejects.toThrow();
  });

  test("is told of, and no whole one is", async () => {
    const half = await send(keeper, randomBytes(1000));
    const whole = await send(keeper, randomBytes(1000));
    await keeper.complete(whole.upload, whole.tags);
    const found = await halvesOf(keeper, Date.now() + 60_000);
    expect(found).toContainEqual({ key: half.key, ref: half.upload.ref });
    expect(found.map(({ key }) => key)).not.toContain(whole.key);
    expect(await halvesOf(keeper, Date.now() - 60_000)).not.toContainEqual({
      key: half.key,
      ref: half.upload.ref,
    });
  });
});

test("a folder keeps what came of a part whose connection was cut, and the next one goes on there", async () => {
  const content = randomBytes(100_000);
  const key = randomUUID();
  const upload = { key, ref: await inFolder.begin(key), size: content.length };
  const cut = await inFolder.take(
    upload,
    { number: 1, offset: 0, length: 100_000 },
    pieces(content.subarray(0, 70_000)),
  );
  expect(cut.bytes).toBe(70_000);
  await cut.add();
  const rest = pieces(content.subarray(70_000));
  await (await inFolder.take(upload, { number: 2, offset: 70_000, length: 30_000 }, rest)).add();
  await inFolder.complete(upload, []);
  expect((await read(inFolder, key, 0, 99_999)).equals(content)).toBe(true);
});

test("a folder takes no part that its disk has no room for, and goes on with what came once there is", async () => {
  const content = randomBytes(1000);
  const key = randomUUID();
  const upload = { key, ref: await inFolder.begin(key), size: content.length };
  await (
    await inFolder.take(upload, { number: 1, offset: 0, length: 400 }, pieces(content.subarray(0, 400)))
  ).add();
  const { bavail, bsize } = statfsSync(folder);
  const tooMuch = { number: 2, offset: 400, length: bavail * bsize };
  await expect(inFolder.take(upload, tooMuch, pieces(content))).rejects.toBeInstanceOf(StorageFull);
  expect(readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(key))).toEqual([key]);
  const rest = { number: 2, offset: 400, length: 600 };
  await (await inFolder.take(upload, rest, pieces(content.subarray(400)))).add();
  await inFolder.complete(upload, []);
  expect((await read(inFolder, key, 0, 999)).equals(content)).toBe(true);
});

test("a folder reserves a part's room before its first byte, and gives it back when the part is dropped", async () => {
  const key = randomUUID();
  const { bavail, bsize } = statfsSync(folder);
  // Each fits alone: a part needs twice its length, and the disk has room for it once and a half.
  const length = Math.floor(bavail * bsize * 0.35);
  const upload = { key, ref: await inFolder.begin(key), size: 2 * length };
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* holdingBack() {
    yield randomBytes(10);
    held.resolve();
    await ended.promise;
  }
  const first = inFolder.take(upload, { number: 1, offset: 0, length }, holdingBack());
  await held.promise;
  const second = () => inFolder.take(upload, { number: 1, offset: 0, length }, pieces(randomBytes(10)));
  await expect(second()).rejects.toBeInstanceOf(StorageFull);
  ended.resolve();
  await (await first).drop();
  await (await second()).drop();
  expect(readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(key))).toEqual([key]);
});

test("a folder gives back the room of a part whose writer died", async () => {
  const key = randomUUID();
  const { bavail, bsize } = statfsSync(folder);
  const length = Math.floor(bavail * bsize * 0.35);
  const upload = { key, ref: await inFolder.begin(key), size: length };
  const left = join(folder, "uploads", `${key}.${randomUUID()}`);
  writeFileSync(left, "");
  truncateSync(left, length);
  const take = () => inFolder.take(upload, { number: 1, offset: 0, length }, pieces(randomBytes(10)));
  await expect(take()).rejects.toBeInstanceOf(StorageFull);
  const before = new Date(Date.now() - 3 * 60_000);
  utimesSync(left, before, before);
  await (await take()).drop();
  expect(readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(key))).toEqual([key]);
});

test("a folder completes without the bytes that a killed writer left behind its last part", async () => {
  const { key, upload } = await send(inFolder, randomBytes(1000));
  writeFileSync(join(folder, "uploads", key), randomBytes(500), { flag: "a" });
  await inFolder.complete(upload, []);
  await expect(read(inFolder, key, 0, 2000)).resolves.toHaveLength(1000);
});

test("a folder takes a part away whose writer was killed", async () => {
  const name = `${randomUUID()}.${randomUUID()}`;
  writeFileSync(join(folder, "uploads", name), "half");
  for await (const _ of inFolder.halvesBefore(new Date(Date.now() + 60_000)));
  expect(readdirSync(join(folder, "uploads"))).not.toContain(name);
});

test("a bucket leaves a part whose connection was cut, and takes the same once more", async () => {
  const content = randomBytes(200_000);
  const key = randomUUID();
  const upload = { key, ref: await inBucket.begin(key), size: content.length };
  const part = { number: 1, offset: 0, length: content.length };
  const cut = await inBucket.take(upload, part, pieces(content.subarray(0, 150_000)));
  expect(cut.bytes).toBe(0);
  const taken = await inBucket.take(upload, part, pieces(content));
  await inBucket.complete(upload, [await taken.add()]);
  expect((await read(inBucket, key, 0, content.length - 1)).equals(content)).toBe(true);
});

test("a bucket's link gives the file for saving, under its name and type", async () => {
  const content = randomBytes(1000);
  const { key, upload, tags } = await send(inBucket, content);
  await inBucket.complete(upload, tags);
  const disposition = `attachment; filename="a.pdf"; filename*=UTF-8''a%C3%A7.pdf`;
  const link = await inBucket.link(key, { contentType: "application/pdf", disposition }, 600);
  const answer = await fetch(link!, { headers: { Range: "bytes=10-19" } });
  expect(answer.status).toBe(206);
  expect(answer.headers.get("content-disposition")).toBe(disposition);
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(10, 20))).toBe(true);
  await expect(inBucket.link(randomUUID(), { contentType: "a/b", disposition }, 600)).rejects.toThrow(
    FileGone,
  );
});

test("pieces of a file that is sent on are all of it, whatever is done with those before", async () => {
  const content = randomBytes(1_000_000);
  for (const [, keeper] of keepers) {
    const { key, upload, tags } = await send(keeper, content);
    await keeper.complete(upload, tags);
    const came: Buffer[] = [];
    for await (const piece of await keeper.pieces(key, 10, 999_989)) came.push(Buffer.from(piece));
    expect(Buffer.concat(came).equals(content.subarray(10, 999_990))).toBe(true);
  }
});

test.each([
  [301, "PermanentRedirect"],
  [400, "AuthorizationHeaderMalformed"],
  [400, "InvalidRegionName"],
])(
  "a service that answers %i %s keeps files elsewhere: nothing of it counts as broken",
  async (status, code) => {
    const server = createServer((_, answer) =>
      answer.writeHead(status, { Connection: "close" }).end(`<Error><Code>${code}</Code></Error>`),
    );
    await once(server.listen(0), "listening");
    const endpoint = `http://localhost:${(server.address() as AddressInfo).port}`;
    const keeper = bucketKeeper({ ...s3.bucket, endpoint });
    const key = randomUUID();
    await expect(keeper.begin(key)).rejects.toThrow(StorageAway);
    await expect(read(keeper, key, 0, 9)).rejects.toThrow(StorageAway);
    await expect(keeper.link(key, { contentType: "a/b", disposition: "x" }, 600)).rejects.toThrow(
      StorageAway,
    );
    server.close();
  },
);

test.each([
  ["wrong keys", GROWN_UP ? { secretKey: "errada" } : { accessKey: "errada" }],
  ["a bucket that is not there", { bucket: "outro" }],
  ["nobody at its address", { endpoint: "http://localhost:1" }],
])("with %s nothing of a bucket counts as lost", async (_, wrong) => {
  const keeper = bucketKeeper({ ...s3.bucket, ...wrong });
  const key = randomUUID();
  const as = { contentType: "a/b", disposition: "attachment" };
  await expect(keeper.link(key, as, 600)).rejects.toThrow(StorageAway);
  await expect(read(keeper, key, 0, 9)).rejects.toThrow(StorageAway);
  const part = { number: 1, offset: 0, length: 10 };
  const body = pieces(randomBytes(10));
  await expect(keeper.take({ key, ref: "1", size: 10 }, part, body)).rejects.toThrow(StorageAway);
});

test("a folder that is empty takes no file, and one that was copied from elsewhere does", async () => {
  const other = mkdtempSync(".cache/folder-");
  const keeper = folderKeeper(other);
  await expect(keeper.begin(randomUUID())).rejects.toThrow(StorageAway);
  expect(readdirSync(other)).toEqual([]);
  mkdirSync(join(other, "ab"));
  expect(await keeper.begin(randomUUID())).toBeNull();
  rmSync(other, { recursive: true });
});
