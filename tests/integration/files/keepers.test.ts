import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bucketKeeper } from "#app/platform/storage/bucket.server.ts";
import { folderKeeper } from "#app/platform/storage/folder.server.ts";
import { FileGone, type Keeper, PART_BYTES } from "#app/platform/storage/keeper.ts";
import { startS3 } from "#tests/support/s3.ts";

const s3 = await startS3();
const folder = mkdtempSync(".cache/folder-");

afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const keepers: [string, Keeper][] = [
  ["folder", folderKeeper(folder)],
  ["bucket", bucketKeeper(s3.bucket)],
];

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
test("a folder forgets an upload, and does not mind what it never had", async () => {
  const keeper = keepers[0]![1];
  const half = await send(keeper, randomBytes(1000));
  await keeper.abandon(half.upload);
  await keeper.abandon(half.upload);
  await expect(keeper.complete(half.upload, half.tags)).rejects.toThrow();
});

test("a folder tells of half uploads, and of no whole file", async () => {
  const keeper = keepers[0]![1];
  const half = await send(keeper, randomBytes(1000));
  const whole = await send(keeper, randomBytes(1000));
  await keeper.complete(whole.upload, whole.tags);
  const keys = [];
  for await (const found of keeper.halvesBefore(new Date(Date.now() + 60_000))) keys.push(found.key);
  expect(keys).toContain(half.key);
  expect(keys).not.toContain(whole.key);
  for await (const _ of keeper.halvesBefore(new Date(Date.now() - 60_000))) throw new Error("too new");
});

test("a folder keeps what came of a part whose connection was cut, and the next one goes on there", async () => {
  const keeper = keepers[0]![1];
  const content = randomBytes(100_000);
  const key = randomUUID();
  const upload = { key, ref: await keeper.begin(key), size: content.length };
  const cut = await keeper.take(
    upload,
    { number: 1, offset: 0, length: 100_000 },
    pieces(content.subarray(0, 70_000)),
  );
  expect(cut.bytes).toBe(70_000);
  await cut.add();
  const rest = pieces(content.subarray(70_000));
  await (await keeper.take(upload, { number: 2, offset: 70_000, length: 30_000 }, rest)).add();
  await keeper.complete(upload, []);
  expect((await read(keeper, key, 0, 99_999)).equals(content)).toBe(true);
});

test("a folder completes without the bytes that a killed writer left behind its last part", async () => {
  const keeper = keepers[0]![1];
  const { key, upload } = await send(keeper, randomBytes(1000));
  writeFileSync(join(folder, "uploads", key), randomBytes(500), { flag: "a" });
  await keeper.complete(upload, []);
  await expect(read(keeper, key, 0, 2000)).resolves.toHaveLength(1000);
});

test("a folder takes a part away whose writer was killed", async () => {
  const keeper = keepers[0]![1];
  const name = `${randomUUID()}.${randomUUID()}`;
  writeFileSync(join(folder, "uploads", name), "half");
  for await (const _ of keeper.halvesBefore(new Date(Date.now() + 60_000)));
  expect(readdirSync(join(folder, "uploads"))).not.toContain(name);
});

test("a bucket leaves a part whose connection was cut, and takes the same once more", async () => {
  const keeper = keepers[1]![1];
  const content = randomBytes(200_000);
  const key = randomUUID();
  const upload = { key, ref: await keeper.begin(key), size: content.length };
  const part = { number: 1, offset: 0, length: content.length };
  const cut = await keeper.take(upload, part, pieces(content.subarray(0, 150_000)));
  expect(cut.bytes).toBe(0);
  const taken = await keeper.take(upload, part, pieces(content));
  await keeper.complete(upload, [await taken.add()]);
  expect((await read(keeper, key, 0, content.length - 1)).equals(content)).toBe(true);
});

test("a bucket's link gives the file for saving, under its name and type", async () => {
  const keeper = keepers[1]![1];
  const content = randomBytes(1000);
  const { key, upload, tags } = await send(keeper, content);
  await keeper.complete(upload, tags);
  const disposition = `attachment; filename="a.pdf"; filename*=UTF-8''a%C3%A7.pdf`;
  const link = await keeper.link(key, { contentType: "application/pdf", disposition }, 600);
  const answer = await fetch(link!, { headers: { Range: "bytes=10-19" } });
  expect(answer.status).toBe(206);
  expect(answer.headers.get("content-disposition")).toBe(disposition);
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(10, 20))).toBe(true);
  await expect(keeper.link(randomUUID(), { contentType: "a/b", disposition }, 600)).rejects.toThrow(FileGone);
});
