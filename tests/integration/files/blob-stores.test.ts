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
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createProxy } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type BlobStore,
  FileMissing,
  MAX_PART_BYTES,
  StorageFull,
  StorageUnavailable,
} from "#app/platform/storage/blob-store.ts";
import { bucketStore } from "#app/platform/storage/bucket-store.server.ts";
import { folderStore } from "#app/platform/storage/folder-store.server.ts";
import { GROWN_UP, startS3 } from "#tests/integration/files/s3.ts";

const s3 = await startS3();
const folder = mkdtempSync(".cache/folder-");

afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const inFolder = folderStore(folder);
const inBucket = bucketStore(s3.bucket);
const keepers: [string, BlobStore][] = [
  ["folder", inFolder],
  ["bucket", inBucket],
];
await inFolder.prepare();

async function* pieces(bytes: Uint8Array, size = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function send(blobStore: BlobStore, content: Buffer) {
  const key = randomUUID();
  const upload = { key, ref: await blobStore.begin(key), size: content.length };
  const tags: string[] = [];
  for (let offset = 0; offset < content.length; offset += MAX_PART_BYTES) {
    const part = content.subarray(offset, offset + MAX_PART_BYTES);
    const received = await blobStore.receivePart(
      upload,
      { number: tags.length + 1, offset, length: part.length },
      pieces(part),
    );
    expect(received.bytes).toBe(part.length);
    tags.push(await received.commit());
  }
  return { key, upload, tags };
}

async function halvesOf(blobStore: BlobStore, before: number) {
  const found: { key: string; ref: string | null }[] = [];
  for await (const half of blobStore.unfinishedBefore(new Date(before))) found.push(half);
  return found;
}

async function read(blobStore: BlobStore, key: string, from: number, to: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await blobStore.read(key, from, to)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe.each(keepers)("a %s", (_, blobStore) => {
  test("returns what it received in parts, whole and by ranges", async () => {
    const content = randomBytes(2 * MAX_PART_BYTES + 1234);
    const { key, upload, tags } = await send(blobStore, content);
    await blobStore.complete(upload, tags);
    expect((await read(blobStore, key, 0, content.length - 1)).equals(content)).toBe(true);
    const stretch = await read(blobStore, key, MAX_PART_BYTES - 10, MAX_PART_BYTES + 9);
    expect(stretch.equals(content.subarray(MAX_PART_BYTES - 10, MAX_PART_BYTES + 10))).toBe(true);
  });

  test("has nothing under a key before all parts are one", async () => {
    const { key, upload, tags } = await send(blobStore, randomBytes(1000));
    await expect(read(blobStore, key, 0, 9)).rejects.toThrow(FileMissing);
    await blobStore.complete(upload, tags);
    expect(await read(blobStore, key, 0, 9)).toHaveLength(10);
  });

  test("completes twice, and by two at once, as once", async () => {
    const content = randomBytes(5000);
    const { key, upload, tags } = await send(blobStore, content);
    await Promise.all([blobStore.complete(upload, tags), blobStore.complete(upload, tags)]);
    await blobStore.complete(upload, tags);
    expect((await read(blobStore, key, 0, 4999)).equals(content)).toBe(true);
  });

  test("removes a file, and ignores unknown ones", async () => {
    const { key, upload, tags } = await send(blobStore, randomBytes(1000));
    await blobStore.complete(upload, tags);
    await blobStore.remove(key);
    await blobStore.remove(key);
    await expect(read(blobStore, key, 0, 9)).rejects.toThrow(FileMissing);
  });
});

// The S3 server of these tests does not support multipart listing: it neither lists nor aborts uploads.
describe.each(GROWN_UP ? keepers : keepers.slice(0, 1))("half a file in a %s", (_, blobStore) => {
  test("is forgotten, and one that never was does no harm", async () => {
    const half = await send(blobStore, randomBytes(1000));
    await blobStore.abandon(half.upload);
    await blobStore.abandon(half.upload);
    await expect(blobStore.complete(half.upload, half.tags)).rejects.toThrow();
  });

  test("is told of, and no whole one is", async () => {
    const half = await send(blobStore, randomBytes(1000));
    const whole = await send(blobStore, randomBytes(1000));
    await blobStore.complete(whole.upload, whole.tags);
    const found = await halvesOf(blobStore, Date.now() + 60_000);
    expect(found).toContainEqual({ key: half.key, ref: half.upload.ref });
    expect(found.map(({ key }) => key)).not.toContain(whole.key);
    expect(await halvesOf(blobStore, Date.now() - 60_000)).not.toContainEqual({
      key: half.key,
      ref: half.upload.ref,
    });
  });
});

test("a folder keeps the received bytes of a part whose connection was cut, and the next one continues there", async () => {
  const content = randomBytes(100_000);
  const key = randomUUID();
  const upload = { key, ref: await inFolder.begin(key), size: content.length };
  const cut = await inFolder.receivePart(
    upload,
    { number: 1, offset: 0, length: 100_000 },
    pieces(content.subarray(0, 70_000)),
  );
  expect(cut.bytes).toBe(70_000);
  await cut.commit();
  const rest = pieces(content.subarray(70_000));
  await (await inFolder.receivePart(upload, { number: 2, offset: 70_000, length: 30_000 }, rest)).commit();
  await inFolder.complete(upload, []);
  expect((await read(inFolder, key, 0, 99_999)).equals(content)).toBe(true);
});

test("a folder refuses a part that does not fit on its disk, and continues once it fits", async () => {
  const content = randomBytes(1000);
  const key = randomUUID();
  const upload = { key, ref: await inFolder.begin(key), size: content.length };
  await (
    await inFolder.receivePart(
      upload,
      { number: 1, offset: 0, length: 400 },
      pieces(content.subarray(0, 400)),
    )
  ).commit();
  const { bavail, bsize } = statfsSync(folder);
  const tooMuch = { number: 2, offset: 400, length: bavail * bsize };
  await expect(inFolder.receivePart(upload, tooMuch, pieces(content))).rejects.toBeInstanceOf(StorageFull);
  expect(readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(key))).toEqual([key]);
  const rest = { number: 2, offset: 400, length: 600 };
  await (await inFolder.receivePart(upload, rest, pieces(content.subarray(400)))).commit();
  await inFolder.complete(upload, []);
  expect((await read(inFolder, key, 0, 999)).equals(content)).toBe(true);
});

test("a folder reserves a part's space before its first byte, and releases it when the part is dropped", async () => {
  const key = randomUUID();
  const { bavail, bsize } = statfsSync(folder);
  // Each fits alone: a part needs twice its length, and the disk has space for it once and a half.
  const length = Math.floor(bavail * bsize * 0.35);
  const upload = { key, ref: await inFolder.begin(key), size: 2 * length };
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* holdingBack() {
    yield randomBytes(10);
    held.resolve();
    await ended.promise;
  }
  const first = inFolder.receivePart(upload, { number: 1, offset: 0, length }, holdingBack());
  await held.promise;
  const second = () =>
    inFolder.receivePart(upload, { number: 1, offset: 0, length }, pieces(randomBytes(10)));
  await expect(second()).rejects.toBeInstanceOf(StorageFull);
  ended.resolve();
  await (await first).discard();
  await (await second()).discard();
  expect(readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(key))).toEqual([key]);
});

test("a folder releases the space of a part whose writer died", async () => {
  const key = randomUUID();
  const { bavail, bsize } = statfsSync(folder);
  const length = Math.floor(bavail * bsize * 0.35);
  const upload = { key, ref: await inFolder.begin(key), size: length };
  const left = join(folder, "uploads", `${key}.${randomUUID()}`);
  writeFileSync(left, "");
  truncateSync(left, length);
  const take = () => inFolder.receivePart(upload, { number: 1, offset: 0, length }, pieces(randomBytes(10)));
  await expect(take()).rejects.toBeInstanceOf(StorageFull);
  const before = new Date(Date.now() - 3 * 60_000);
  utimesSync(left, before, before);
  await (await take()).discard();
  expect(readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(key))).toEqual([key]);
});

test("a folder completes without the bytes that a killed writer left after its last part", async () => {
  const { key, upload } = await send(inFolder, randomBytes(1000));
  writeFileSync(join(folder, "uploads", key), randomBytes(500), { flag: "a" });
  await inFolder.complete(upload, []);
  await expect(read(inFolder, key, 0, 2000)).resolves.toHaveLength(1000);
});

test("a folder removes a part whose writer was killed", async () => {
  const name = `${randomUUID()}.${randomUUID()}`;
  writeFileSync(join(folder, "uploads", name), "half");
  for await (const _ of inFolder.unfinishedBefore(new Date(Date.now() + 60_000)));
  expect(readdirSync(join(folder, "uploads"))).not.toContain(name);
});

test("a bucket drops a part whose connection was cut, and accepts it again", async () => {
  const content = randomBytes(200_000);
  const key = randomUUID();
  const upload = { key, ref: await inBucket.begin(key), size: content.length };
  const part = { number: 1, offset: 0, length: content.length };
  const cut = await inBucket.receivePart(upload, part, pieces(content.subarray(0, 150_000)));
  expect(cut.bytes).toBe(0);
  const received = await inBucket.receivePart(upload, part, pieces(content));
  await inBucket.complete(upload, [await received.commit()]);
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
    FileMissing,
  );
});

test("chunks of a forwarded file are complete, whatever is done with earlier ones", async () => {
  const content = randomBytes(1_000_000);
  for (const [, blobStore] of keepers) {
    const { key, upload, tags } = await send(blobStore, content);
    await blobStore.complete(upload, tags);
    const came: Buffer[] = [];
    for await (const piece of await blobStore.readChunks(key, 10, 999_989)) came.push(Buffer.from(piece));
    expect(Buffer.concat(came).equals(content.subarray(10, 999_990))).toBe(true);
  }
});

test.each([
  [301, "PermanentRedirect"],
  [400, "AuthorizationHeaderMalformed"],
  [400, "InvalidRegionName"],
])(
  "a service that answers %i %s is a temporary failure: nothing of it counts as broken",
  async (status, code) => {
    const server = createServer((_, answer) =>
      answer.writeHead(status, { Connection: "close" }).end(`<Error><Code>${code}</Code></Error>`),
    );
    await once(server.listen(0), "listening");
    const endpoint = `http://localhost:${(server.address() as AddressInfo).port}`;
    const blobStore = bucketStore({ ...s3.bucket, endpoint });
    const key = randomUUID();
    await expect(blobStore.begin(key)).rejects.toThrow(StorageUnavailable);
    await expect(read(blobStore, key, 0, 9)).rejects.toThrow(StorageUnavailable);
    await expect(blobStore.link(key, { contentType: "a/b", disposition: "x" }, 600)).rejects.toThrow(
      StorageUnavailable,
    );
    server.close();
  },
);

/** A bucket of a service that answers each request by `answer`. */
async function bucketOf(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { server, store: bucketStore({ ...s3.bucket, endpoint }) };
}

test("a service that breaks an answer off is a temporary failure: nothing of it counts as broken", async () => {
  const { store } = await bucketOf((_, answer) => {
    answer.writeHead(206, { "Content-Length": "1000" });
    answer.write(randomBytes(500), () => answer.destroy());
  });
  await expect(read(store, randomUUID(), 0, 999)).rejects.toThrow(StorageUnavailable);
  await expect(store.begin(randomUUID())).rejects.toThrow(StorageUnavailable);
});

test("a service that sends whole files in place of a part gives no wrong bytes", async () => {
  const content = randomBytes(1000);
  const { store } = await bucketOf((_, answer) =>
    answer.writeHead(200, { "Content-Length": 1000 }).end(content),
  );
  const key = randomUUID();
  await expect(read(store, key, 10, 19)).rejects.toThrow(StorageUnavailable);
  await expect(read(store, key, 0, 9)).rejects.toThrow(StorageUnavailable);
  expect((await read(store, key, 0, 999)).equals(content)).toBe(true);
});

test.each([
  ["no page that follows", ""],
  ["the same page again", "<NextKeyMarker>b</NextKeyMarker><NextUploadIdMarker>2</NextUploadIdMarker>"],
])("a service whose list of uploads is cut and names %s is listed to an end", async (_, markers) => {
  const upload =
    "<Upload><Key>a</Key><UploadId>1</UploadId><Initiated>2020-01-01T00:00:00Z</Initiated></Upload>";
  const { store } = await bucketOf((_, answer) =>
    answer.end(
      `<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>${markers}${upload}</ListMultipartUploadsResult>`,
    ),
  );
  expect(await halvesOf(store, Date.now())).toContainEqual({ key: "a", ref: "1" });
});

test("a service that never answers is unavailable before whoever waits for a page gives up", async () => {
  const { server, store } = await bucketOf(() => {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = once(server, "request");
  const linked = expect(
    store.link(randomUUID(), { contentType: "a/b", disposition: "attachment" }, 600),
  ).rejects.toThrow(StorageUnavailable);
  await asked;
  await vi.advanceTimersByTimeAsync(30_000);
  await linked;
});

test.each([
  ["wrong keys", GROWN_UP ? { secretKey: "errada" } : { accessKey: "errada" }],
  ["a bucket that is not there", { bucket: "outro" }],
  ["nobody at its address", { endpoint: "http://localhost:1" }],
])("with %s nothing of a bucket counts as lost", async (_, wrong) => {
  const blobStore = bucketStore({ ...s3.bucket, ...wrong });
  const key = randomUUID();
  const as = { contentType: "a/b", disposition: "attachment" };
  await expect(blobStore.link(key, as, 600)).rejects.toThrow(StorageUnavailable);
  await expect(read(blobStore, key, 0, 9)).rejects.toThrow(StorageUnavailable);
  const part = { number: 1, offset: 0, length: 10 };
  const body = pieces(randomBytes(10));
  await expect(blobStore.receivePart({ key, ref: "1", size: 10 }, part, body)).rejects.toThrow(
    StorageUnavailable,
  );
});

/** A service in front of the bucket that closes each connection when a second request comes by it. */
async function impatient() {
  const { hostname, port } = new URL(s3.bucket.endpoint);
  let cut = 0;
  const proxy = createProxy((socket) => {
    const onward = connect(Number(port), hostname);
    let isAnswered = false;
    socket.on("data", (bytes) => {
      if (!isAnswered) return onward.write(bytes);
      cut++;
      socket.destroy();
    });
    onward.on("data", (bytes) => {
      isAnswered = true;
      socket.write(bytes);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  await once(proxy.listen(0), "listening");
  const endpoint = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  return { endpoint, cuts: () => cut, close: () => proxy.close() };
}

test("a request that meets a connection the service has closed is sent again", async () => {
  const proxy = await impatient();
  const store = bucketStore({ ...s3.bucket, endpoint: proxy.endpoint });
  const content = randomBytes(1000);
  const { key, upload, tags } = await send(inBucket, content);
  await inBucket.complete(upload, tags);
  const link = () => store.link(key, { contentType: "a/b", disposition: "attachment" }, 600);
  for (let times = 0; times < 5; times++) {
    expect((await read(store, key, 0, 999)).equals(content)).toBe(true);
    expect(await link()).toContain(key);
    await store.abandon({ key: randomUUID(), ref: (await store.begin(randomUUID()))! });
  }
  await store.remove(key);
  await expect(link()).rejects.toThrow(FileMissing);
  expect(proxy.cuts()).toBeGreaterThan(5);
  proxy.close();
});

test("an empty folder is refused as a store, and a copied one is accepted", async () => {
  const other = mkdtempSync(".cache/folder-");
  const blobStore = folderStore(other);
  await expect(blobStore.begin(randomUUID())).rejects.toThrow(StorageUnavailable);
  expect(readdirSync(other)).toEqual([]);
  mkdirSync(join(other, "ab"));
  expect(await blobStore.begin(randomUUID())).toBeNull();
  rmSync(other, { recursive: true });
});
