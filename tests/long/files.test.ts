import { randomBytes } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signedAddress, soldFile } from "#tests/integration/files/delivery.ts";
import { memoryOf } from "#tests/integration/files/memory.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { announceFile, sendPart, type Upload } from "#tests/support/files/send-file.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });
const MB = 1024 * 1024;
const bytes = (size: number) => new Uint8Array(randomBytes(size));

test("a file of five gigabytes comes whole, with a hundred megabytes of memory", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const client = { app, headers: await signedIn(seller) };
  const size = 5 * 1024 * MB + 1;
  const part = bytes(8 * MB);
  const send = async (upload: Upload) => {
    const answer = await sendPart(client, upload, upload.received, part.subarray(0, size - upload.received));
    expect(answer.status).toBe(200);
    return (await answer.json()) as Upload;
  };
  let upload = await announceFile(client, { product_id: product.id, name: "curso.zip", size });
  const pid = app.web[0]!.pid!;
  let before = 0;
  let most = 0;
  for (let sent = 0; !upload.ready_at; sent++) {
    upload = await send(upload);
    // The first parts load what the process keeps anyway.
    if (sent === 5) before = memoryOf(pid);
    most = Math.max(most, memoryOf(pid));
  }
  expect(most - before).toBeLessThan(100);
  const path = join(process.env.DATA_DIR!, "files", upload.id.slice(0, 2), upload.id);
  expect(statSync(path).size).toBe(size);
  const file = openSync(path, "r");
  const kept = Buffer.alloc(part.length);
  for (const at of [0, 320, 639]) {
    readSync(file, kept, 0, part.length, at * part.length);
    expect(kept.equals(part), String(at)).toBe(true);
  }
  closeSync(file);
});

test("a download cut by a deploy is detected, and the next web process sends the rest of the same file", async () => {
  const content = bytes(20 * MB);
  const { permanent, sale } = await soldFile(app, content);
  const address = await signedAddress(app, permanent);
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const headers = { "X-Forwarded-For": newAddress() };
    get(new URL(address, app.url), { headers, agent: false }, done).on("error", fail);
  });
  const came: Buffer[] = [];
  // As over a slow line: nothing is read until the web has waited for it as long as it waits.
  await app.web[0]!.stop();
  const cut = new Promise((done) => answer.once("close", () => done(!answer.complete)));
  answer.on("error", () => {}).on("data", (chunk: Buffer) => void came.push(chunk));
  expect(await cut).toBe(true);
  const first = Buffer.concat(came);
  expect(first.length).toBeLessThan(content.length);
  await app.web[0]!.start();
  const rest = await app.fetch(address, {
    headers: { Range: `bytes=${first.length}-`, "If-Range": answer.headers.etag! },
  });
  expect(rest.status).toBe(206);
  expect(Buffer.concat([first, Buffer.from(await rest.arrayBuffer())]).equals(content)).toBe(true);
  expect(await sql`select from downloads where sale_id = ${sale.id}`).toHaveLength(1);
});
