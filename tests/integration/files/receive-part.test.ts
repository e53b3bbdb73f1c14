import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { receivePart } from "#app/domain/content/receive-part.server.ts";
import { beginUpload } from "#app/domain/content/upload.server.ts";
import { MAX_PART_BYTES } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const folder = join(process.env.DATA_DIR!, "files");
const bytes = (size: number) => new Uint8Array(randomBytes(size));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Seller = { id: string };

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const owner = { kind: "product", id: product.id } as const;
  const begin = (size: number) =>
    beginUpload(seller.id, { productId: product.id, owner, name: "aula.mp4", size });
  return { seller, begin };
}

async function* inPieces(pieces: Uint8Array[]) {
  yield* pieces;
}

/** Sends a part, which arrives in these pieces. */
function send(seller: Seller, id: string, offset: number, ...pieces: Uint8Array[]) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return receivePart(seller.id, id, { offset, length }, () => inPieces(pieces));
}

/** Sends a part of ten bytes, and after the first one waits until `resume` is called, or until it is cut off. */
function hold(seller: Seller, id: string) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  async function* body(signal: AbortSignal) {
    yield bytes(1);
    const cutOff = new Promise((done) => signal.addEventListener("abort", done, { once: true }));
    begin(signal);
    await Promise.race([resumed, cutOff]);
    if (!signal.aborted) yield bytes(9);
  }
  const outcome = receivePart(seller.id, id, { offset: 0, length: 10 }, body).catch(
    (error: unknown) => error,
  );
  return { begun, resume, outcome };
}

/** Sends a part byte by byte: the first at once, each other when `next` is called, none once it is cut off. */
function trickle(seller: Seller, id: string, length: number) {
  let go = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<AbortSignal>();
  async function* body(signal: AbortSignal) {
    const cutOff = new Promise((done) => signal.addEventListener("abort", done, { once: true }));
    for (let sent = 0; sent < length && !signal.aborted; sent++) {
      yield bytes(1);
      taken.resolve(signal);
      await Promise.race([go.promise, cutOff]);
    }
  }
  const outcome = receivePart(seller.id, id, { offset: 0, length }, body);
  const next = () => {
    taken = Promise.withResolvers();
    go.resolve();
    go = Promise.withResolvers();
    return taken.promise;
  };
  return { begun: taken.promise, next, outcome };
}

/** Time stands still until it is advanced; only what is due at once happens, such as a connection to the database. */
function stopTime() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const due = setInterval(() => vi.advanceTimersByTime(0), 5);
  onTestFinished(() => clearInterval(due));
}

async function rowOf(id: string) {
  const [row] = await sql`select received::int, lease, ready_at from files where id = ${id}`;
  return row;
}

const unfinishedOf = (id: string) =>
  readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(id));

test("a file of two parts is stored as it was sent, and its parts are numbered from one", async () => {
  const { seller, begin } = await shop();
  const content = bytes(MAX_PART_BYTES + 10);
  const id = await begin(content.length);
  const stored = vi.spyOn(storage, "receivePart");
  const first = await send(seller, id, 0, content.subarray(0, MAX_PART_BYTES));
  expect(first).toMatchObject({ received: MAX_PART_BYTES, readyAt: null });
  const rest = content.subarray(MAX_PART_BYTES);
  const whole = await send(seller, id, MAX_PART_BYTES, rest.subarray(0, 4), rest.subarray(4));
  expect(whole).toMatchObject({ received: content.length, readyAt: expect.any(Date) });
  expect(stored.mock.calls.map(([, part]) => part)).toEqual([
    { number: 1, offset: 0, length: MAX_PART_BYTES },
    { number: 2, offset: MAX_PART_BYTES, length: 10 },
  ]);
  expect(readFileSync(join(folder, id.slice(0, 2), id)).equals(content)).toBe(true);
  expect(unfinishedOf(id)).toEqual([]);
});

const WRONG_LENGTH = "Uma parte tem 8388608 bytes; a última, o que falta";

test.each([
  ["begins elsewhere", 1, 9, [9], "A próxima parte começa em 0"],
  ["is announced as shorter than what is left", 0, 9, [9], WRONG_LENGTH],
  ["is announced as longer", 0, 11, [11], WRONG_LENGTH],
  ["is longer than announced", 0, 10, [4, 8], WRONG_LENGTH],
])("a part that %s is refused, and leaves nothing", async (_, offset, length, sizes, message) => {
  const { seller, begin } = await shop();
  const id = await begin(10);
  const sent = receivePart(seller.id, id, { offset, length }, () => inPieces(sizes.map(bytes)));
  await expect(sent).rejects.toMatchObject({ message });
  expect(await rowOf(id)).toEqual({ received: 0, lease: null, ready_at: null });
  expect(unfinishedOf(id)).toEqual([id]);
});

test("of a part that was cut off the bytes that came are kept, and none is no error", async () => {
  const { seller, begin } = await shop();
  const id = await begin(10);
  const content = bytes(10);
  const cut = (...pieces: Uint8Array[]) =>
    receivePart(seller.id, id, { offset: 0, length: 10 }, () => inPieces(pieces));
  expect(await cut()).toMatchObject({ received: 0 });
  expect(await rowOf(id)).toEqual({ received: 0, lease: null, ready_at: null });
  expect(unfinishedOf(id)).toEqual([id]);
  expect(await cut(content.subarray(0, 4))).toMatchObject({ received: 4, readyAt: null });
  expect(await send(seller, id, 4, content.subarray(4))).toMatchObject({ received: 10 });
  expect(readFileSync(join(folder, id.slice(0, 2), id)).equals(content)).toBe(true);
});

test("a complete file is answered as it is, and completed where its process died before that", async () => {
  const { seller, begin } = await shop();
  const id = await begin(10);
  const whole = await send(seller, id, 0, bytes(10));
  expect(await send(seller, id, 0, bytes(10))).toEqual(whole);
  await sql`delete from content_items where file_id = ${id}`;
  await sql`update files set ready_at = null, content_type = null where id = ${id}`;
  expect(await send(seller, id, 10)).toMatchObject({ id, readyAt: expect.any(Date) });
  expect(await sql`select name from content_items where file_id = ${id}`).toEqual([{ name: "aula.mp4" }]);
});

test("a part that another process received meanwhile is refused, with where to continue", async () => {
  const { seller, begin } = await shop();
  const id = await begin(10);
  const { release } = await holdLock((tx) => tx`select from sellers where id = ${seller.id} for update`);
  const sent = send(seller, id, 0, bytes(10)).catch((error: unknown) => error);
  await untilLockedOut();
  await sql`update files set received = 4 where id = ${id}`;
  await release();
  expect(await sent).toMatchObject({ code: "wrong_offset", message: "A próxima parte começa em 4" });
});

test("a part whose upload another process took over is not recorded, and that one keeps its lease", async () => {
  const { seller, begin } = await shop();
  const id = await begin(10);
  const held = hold(seller, id);
  await held.begun;
  const lease = randomUUID();
  await sql`update files set lease = ${lease}, leased_until = now() + interval '1 minute' where id = ${id}`;
  held.resume();
  expect(await held.outcome).toMatchObject({ code: "wrong_offset", message: "A próxima parte começa em 0" });
  expect(await rowOf(id)).toEqual({ received: 0, lease, ready_at: null });
});

test("four files of a seller are received at once; waiting ones and other sellers' do not count", async () => {
  const [{ seller, begin }, other] = [await shop(), await shop()];
  const held: ReturnType<typeof hold>[] = [];
  for (let n = 0; n < 4; n++) held.push(hold(seller, await begin(10)));
  for (const { begun } of held) await begun;
  const fifth = await begin(10);
  for (let n = 0; n < 2; n++) await begin(10);
  await expect(send(seller, fifth, 0, bytes(10))).rejects.toMatchObject({
    kind: "too-many",
    message: "Já há 4 arquivos sendo enviados. Espere um deles terminar.",
    field: "file",
    retryAfter: 5,
    code: "uploads_busy",
  });
  expect(await send(other.seller, await other.begin(10), 0, bytes(10))).toMatchObject({ received: 10 });
  held[0]!.resume();
  expect(await held[0]!.outcome).toMatchObject({ received: 10 });
  expect(await send(seller, fifth, 0, bytes(10))).toMatchObject({ received: 10 });
  for (const { resume, outcome } of held) {
    resume();
    await outcome;
  }
});

test("of several requests for one part the last one is received, and each before it is cut off", async () => {
  const { seller, begin } = await shop();
  const id = await begin(10);
  const first = hold(seller, id);
  await first.begun;
  const second = hold(seller, id);
  expect(await first.outcome).toMatchObject({ code: "wrong_offset" });
  await second.begun;
  const third = hold(seller, id);
  await third.begun;
  // At once: not only where the lease is to be renewed, or nothing came for a while.
  expect((await second.begun).aborted).toBe(true);
  expect(await second.outcome).toMatchObject({ code: "wrong_offset" });
  expect((await third.begun).aborted).toBe(false);
  third.resume();
  expect(await third.outcome).toMatchObject({ received: 10, readyAt: expect.any(Date) });
  expect(unfinishedOf(id)).toEqual([]);
});

test("a part is cut off fifteen seconds after its last byte, or four minutes after it began; a received one is not", async () => {
  const { seller, begin } = await shop();
  const [silent, slow, whole] = [await begin(30), await begin(30), await begin(2)];
  stopTime();
  const first = trickle(seller, silent, 30);
  const isSilent = await first.begun;
  vi.advanceTimersByTime(14_999);
  expect(isSilent.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isSilent.aborted).toBe(true);
  expect(await first.outcome).toMatchObject({ received: 1, readyAt: null });

  const second = trickle(seller, slow, 30);
  const isSlow = await second.begun;
  for (let seconds = 10; seconds < 240; seconds += 10) {
    vi.advanceTimersByTime(10_000);
    expect(isSlow.aborted).toBe(false);
    await second.next();
  }
  vi.advanceTimersByTime(10_000);
  expect(isSlow.aborted).toBe(true);
  expect(await second.outcome).toMatchObject({ received: 24, readyAt: null });

  const third = trickle(seller, whole, 2);
  const isWhole = await third.begun;
  void third.next();
  expect(await third.outcome).toMatchObject({ received: 2, readyAt: expect.any(Date) });
  vi.advanceTimersByTime(300_000);
  expect(isWhole.aborted).toBe(false);
});

test("a lease is renewed while its part arrives, and a part whose lease was taken over is cut off", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { seller, begin } = await shop();
  const id = await begin(10);
  const held = hold(seller, id);
  const signal = await held.begun;
  const isLeased = async () => {
    const [row] =
      await sql`select leased_until between now() + interval '1 second' and now() + interval '1 minute'
      as leased from files where id = ${id}`;
    return row!.leased;
  };
  /** The renewals sent within five seconds, once `done` is true. */
  const renewals = async (done: () => unknown) => {
    const { statements } = await countStatements(
      async () => {
        vi.advanceTimersByTime(5000);
        await until(done);
      },
      { everywhere: true },
    );
    return statements.filter((statement) => statement.includes('"leased_until" = '));
  };
  expect(await isLeased()).toBe(true);
  await sql`update files set leased_until = now() where id = ${id}`;
  expect(await renewals(isLeased)).toHaveLength(1);
  expect(signal.aborted).toBe(false);
  await sql`update files set lease = ${randomUUID()} where id = ${id}`;
  expect(await renewals(() => signal.aborted)).toHaveLength(1);
  expect(await held.outcome).toMatchObject({ code: "wrong_offset" });
  expect(await renewals(async () => (await sql`select 1`).length > 0)).toEqual([]);
});
