import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { RETRY_DELAY } from "#app/domain/picture/limits.ts";
import { pictureQueue } from "#app/domain/picture/prepare-picture.server.ts";
import { stampedCopyQueue } from "#app/domain/stamped-copy/make-stamped-copy.server.ts";
import { scheduleTrialStamp } from "#app/domain/stamped-copy/schedule-trial-stamp.server.ts";
import { stampText, textKey } from "#app/domain/stamped-copy/stamp-text.server.ts";
import { addressesOf, signedAddress, soldFile } from "#tests/integration/files/delivery.ts";
import { soldStamped } from "#tests/integration/files/stamped.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { pdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { photo } from "#tests/support/files/photos.ts";
import {
  announceFile,
  sendFile,
  sendPart,
  sendPicture,
  type Upload,
} from "#tests/support/files/send-file.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });
const PART = 8 * 1024 * 1024;
const folder = join(process.env.DATA_DIR!, "files");
const bytes = (size: number) => new Uint8Array(randomBytes(size));
const stored = (id: string) => readFileSync(join(folder, id.slice(0, 2), id));

/** The maximum size of a file that the web process can write, in bytes: beyond it the disk behaves as if full. */
function mayWrite(most: number | "unlimited") {
  execFileSync("prlimit", ["--pid", String(app.web[0]!.pid), `--fsize=${most}:unlimited`]);
}

test.each([
  ["while a part comes", PART / 2],
  ["while a part is given its place", PART + PART / 2],
])("a disk that fills up %s is reported to the seller, and the upload continues later", async (_, room) => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const client = { app, headers: await signedIn(seller) };
  const content = bytes(2 * PART + 5);
  let upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: content.length });
  const send = () =>
    sendPart(client, upload, upload.received, content.subarray(upload.received, upload.received + PART));
  mayWrite(room);
  try {
    for (;;) {
      const answer = await send();
      if (answer.ok) {
        upload = (await answer.json()) as Upload;
        continue;
      }
      expect([answer.status, await answer.json()]).toMatchObject([
        503,
        { code: "storage_full", message: expect.stringContaining("Não há espaço") },
      ]);
      break;
    }
  } finally {
    mayWrite("unlimited");
  }
  expect(await sql`select from content_items where file_id = ${upload.id}`).toHaveLength(0);
  expect(readdirSync(join(folder, "uploads")).filter((name) => name.startsWith(upload.id))).toEqual([
    upload.id,
  ]);
  while (!upload.ready_at) upload = (await (await send()).json()) as Upload;
  expect(stored(upload.id).equals(content)).toBe(true);
});

test("while the folder is unmounted nothing counts as lost, and an upload continues once it is back", async () => {
  const content = bytes(1000);
  const { permanent, client, product, seller } = await soldFile(app, content);
  const address = await signedAddress(app, permanent);
  const half = await announceFile(client, { product_id: product.id, name: "b.bin", size: 1000 });
  renameSync(folder, `${folder}-away`);
  try {
    const answer = await app.fetch(address);
    expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([
      ...[503, "60", expect.stringContaining("Os arquivos estão fora de alcance por um instante.")],
    ]);
    const part = await sendPart(client, half, 0, content);
    expect([part.status, await part.json()]).toMatchObject([503, { code: "storage_away" }]);
    const another = announceFile(client, { product_id: product.id, name: "c.bin", size: 1000 });
    await expect(another).rejects.toThrow("storage_away");
    // Files written to the mount point would be hidden once the disk is back.
    expect(existsSync(folder)).toBe(false);
  } finally {
    renameSync(`${folder}-away`, folder);
  }
  expect(await sql`select from mails where kind = 'missing-file' and seller_id = ${seller.id}`).toHaveLength(
    0,
  );
  expect(Buffer.from(await (await app.fetch(address)).arrayBuffer()).equals(content)).toBe(true);
  expect((await sendPart(client, half, 0, content)).status).toBe(200);
  expect(stored(half.id).equals(content)).toBe(true);
});

test("work on unreachable files is never counted as failed, however often it is attempted", async () => {
  const seller = await makeSeller();
  const client = { app, headers: await signedIn(seller) };
  const picture = await sendPicture(client, "banner", await photo(400, 300));
  const { permanent, sale } = await soldStamped(app, await pdf(1));
  expect((await app.fetch(await signedAddress(app, permanent))).status).toBe(202);
  renameSync(folder, `${folder}-away`);
  try {
    for (let attempts = 1; attempts <= 5; attempts++) {
      await sql`update pictures set scheduled_at = date_trunc('milliseconds', now()) where scheduled_at is not null`;
      await sql`update stamped_copies set scheduled_at = date_trunc('milliseconds', now()) where scheduled_at is not null`;
      for (const claimed of await pictureQueue.claim(10))
        expect(await pictureQueue.handle(claimed)).toBe(RETRY_DELAY);
      for (const claimed of await stampedCopyQueue.claim(10))
        await stampedCopyQueue.handle(claimed).catch(() => {});
    }
  } finally {
    renameSync(`${folder}-away`, folder);
  }
  expect(await sql`select failure, attempts from pictures where id = ${picture}`).toEqual([
    { failure: null, attempts: 0 },
  ]);
  const put =
    await sql`select failure, scheduled_at > now() as "isDue" from stamped_copies where sale_id = ${sale.id}`;
  expect(put).toEqual([{ failure: null, isDue: true }]);
  expect(await sql`select id from mails where kind = 'unstamped-file'`).toEqual([]);
});

longTest(
  "a stamped PDF that was missing is reported as missing, and is stamped once it is back",
  async () => {
    const { permanent, sale, seller, upload } = await soldStamped(app, await pdf(1));
    await sql`insert into stamped_copies (seller_id, file_id, failure) values (${seller.id}, ${upload.id}, 'gone')`;
    const address = await signedAddress(app, permanent);
    const path = join(folder, upload.id.slice(0, 2), upload.id);
    const stamp = async () => {
      await sql`update stamped_copies set scheduled_at = date_trunc('milliseconds', now()) where scheduled_at is not null`;
      for (const claimed of await stampedCopyQueue.claim(10)) await stampedCopyQueue.handle(claimed);
    };
    renameSync(path, `${path}-away`);
    try {
      expect((await app.fetch(address)).status).toBe(202);
      await stamp();
      for (const waited of ["", "&espera=1"]) {
        const answer = await app.fetch(address + waited);
        expect([answer.status, await answer.text()]).toEqual([
          503,
          expect.stringContaining("não está disponível"),
        ]);
      }
    } finally {
      renameSync(`${path}-away`, path);
    }
    const told = await sql`select kind from mails where seller_id = ${seller.id} and kind like '%-file'`;
    expect(told).toEqual([{ kind: "missing-file" }]);
    expect((await app.fetch(address)).status).toBe(202);
    await stamp();
    const answer = await app.fetch(address);
    expect(await stampsOf(new Uint8Array(await answer.arrayBuffer()))).toHaveLength(1);
    expect(await sql`select failure from stamped_copies where sale_id = ${sale.id}`).toEqual([
      { failure: null },
    ]);
    // Its seller's switch tries it anew, too.
    await db.transaction((tx) => scheduleTrialStamp(tx, seller.id, upload.id));
    await stamp();
    expect(
      await sql`select failure from stamped_copies where file_id = ${upload.id} and sale_id is null`,
    ).toEqual([{ failure: null }]);
  },
);

test("a copy that was made before its PDF went missing does not say that the PDF is back", async () => {
  const { permanent, sale, product, client, seller, upload } = await soldStamped(app, await pdf(1));
  const other = await makeSale(product, { status: "completed" });
  const copy = await sendFile(client, { product_id: product.id, name: "copia.pdf" }, await pdf(1));
  const results = [
    [sale.id, { copy_id: copy.id }],
    [other.id, { failure: "gone" }],
  ] as const;
  for (const [saleId, result] of results) {
    const [row] = await sql<Parameters<typeof stampText>>`
      select id, customer_name as "customerName", customer_email as "customerEmail" from sales where id = ${saleId}`;
    const ids = { seller_id: seller.id, file_id: upload.id, sale_id: saleId };
    await sql`insert into stamped_copies ${sql({ ...ids, text_key: textKey(stampText(row!)), ...result })}`;
  }
  const download = async (of: string) => (await app.fetch(await signedAddress(app, of))).status;
  const reported = async () => [
    (await sql`select from mails where kind = 'missing-file' and seller_id = ${seller.id}`).length,
    (await sql`select missing_at from files where id = ${upload.id}`)[0]!.missing_at !== null,
  ];
  const path = join(folder, upload.id.slice(0, 2), upload.id);
  renameSync(path, `${path}-away`);
  try {
    for (let each = 0; each < 2; each++) {
      expect(await download((await addressesOf(other.id)).permanent)).toBe(503);
      expect(await download(permanent)).toBe(200);
      expect(await reported()).toEqual([1, true]);
    }
  } finally {
    renameSync(`${path}-away`, path);
  }
  expect(await download(permanent)).toBe(200);
  expect(await reported()).toEqual([1, false]);
});

test("a download in progress when its web process is stopped is sent to its end", async () => {
  const content = bytes(20 * 1024 * 1024);
  const { permanent } = await soldFile(app, content);
  const answer = await open(await signedAddress(app, permanent));
  const stopped = app.web[0]!.stop();
  // Also for a client that repeats requests on a keep-alive connection.
  await until(() =>
    fetch(app.url).then(
      () => false,
      () => true,
    ),
  );
  const came: Buffer[] = [];
  for await (const chunk of answer) came.push(chunk);
  expect(Buffer.concat(came).equals(content)).toBe(true);
  expect(await stopped).toBe(0);
  await app.web[0]!.start();
});

/** A download whose body has not been read. */
function open(path: string): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const headers = { "X-Forwarded-For": newAddress() };
    get(new URL(path, app.url), { headers, agent: false }, done).on("error", fail);
  });
}

longTest("a web that stops ends the connections that it answers on", async () => {
  const { permanent } = await soldFile(app, bytes(20 * 1024 * 1024));
  const held = await open(await signedAddress(app, permanent));
  // A request whose body has not arrived keeps its connection.
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  const head = ["POST /api/sessions HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
  socket.write([...head, "Content-Length: 2", "Expect: 100-continue", "", ""].join("\r\n"));
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  const closed = new Promise((done) => socket.once("close", done));
  await until(() => heard.includes("100 Continue"));
  const stopped = app.web[0]!.stop();
  await until(() =>
    fetch(app.url).then(
      () => false,
      () => true,
    ),
  );
  socket.write("{}");
  await closed;
  expect(heard).toMatch(/HTTP\/1\.1 4\d\d [\s\S]*\r\nConnection: close\r\n/i);
  held.resume();
  expect(await stopped).toBe(0);
  await app.web[0]!.start();
});
