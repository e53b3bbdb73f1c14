import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { abandonStrayUploads } from "#app/domain/content/clean-files.server.ts";
import { finishUpload } from "#app/domain/content/finish-upload.server.ts";
import { receivePart } from "#app/domain/content/receive-part.server.ts";
import { beginUpload, cancelUpload, findUpload, unlessCancelled } from "#app/domain/content/upload.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { bucketStore } from "#app/platform/storage/bucket-store.server.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";

/** An upload whose parts are all there. */
async function wholeUpload() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const owner = { kind: "product", id: product.id } as const;
  const id = await beginUpload(seller.id, { productId: product.id, owner, name: "a.bin", size: 3 });
  const upload = { key: id, ref: null, size: 3 };
  async function* body() {
    yield new Uint8Array([1, 2, 3]);
  }
  const received = await storage.receivePart(upload, { number: 1, offset: 0, length: 3 }, body());
  const parts = [await received.commit()];
  await sql`update files set received = 3, parts = ${sql.json(parts)} where id = ${id}`;
  return { seller, id, file: await findUpload(seller.id, id) };
}

const bytesOf = (id: string) => join(process.env.DATA_DIR!, "files", id.slice(0, 2), id);

test("an upload cancelled while it is being completed is gone, with its bytes, and its sender is answered so", async () => {
  const { id, file } = await wholeUpload();
  const { release } = await holdLock((tx) => tx`delete from files where id = ${id}`);
  const finished = finishUpload(file).catch((error: unknown) => error);
  await untilLockedOut();
  expect(existsSync(bytesOf(id))).toBe(true);
  await release();
  const error = await finished;
  expect(error).toBeInstanceOf(Refusal);
  expect((error as Refusal).message).toBe("Envio não encontrado");
  expect(existsSync(bytesOf(id))).toBe(false);
});

test("an upload cancelled while a part of it arrives is answered so, too", async () => {
  const { seller, id } = await wholeUpload();
  await sql`update files set received = 0, parts = '[]' where id = ${id}`;
  async function* body() {
    yield new Uint8Array([1, 2]);
    await cancelUpload(seller.id, id);
    yield new Uint8Array([3]);
  }
  const receiving = receivePart(seller.id, id, { offset: 0, length: 3 }, body);
  await expect(receiving).rejects.toThrow("Envio não encontrado");
});

test("work on an upload that fails says why, unless it was cancelled meanwhile", async () => {
  const [{ id }, cancelled] = [await wholeUpload(), await wholeUpload()];
  const fail = () => Promise.reject(new Error("the disk is full"));
  await cancelUpload(cancelled.seller.id, cancelled.id);
  await expect(unlessCancelled(id, fail())).rejects.toThrow("the disk is full");
  await expect(unlessCancelled(cancelled.id, fail())).rejects.toThrow("Envio não encontrado");
});

test("an upload cancelled before it was completed is answered so, too", async () => {
  const { seller, id, file } = await wholeUpload();
  await cancelUpload(seller.id, id);
  await expect(finishUpload(file)).rejects.toThrow("Envio não encontrado");
  expect(existsSync(bytesOf(id))).toBe(false);
});

test("in a shared bucket foreign multipart uploads stay, whatever their keys, and ours are removed", async () => {
  const { seller, id: own } = await wholeUpload();
  const { id: open } = await wholeUpload();
  await cancelUpload(seller.id, own);
  const foreign = randomUUID();
  const keys = ["fotos/de outra pessoa.jpg", foreign, own, open];
  const abandoned: string[] = [];
  // As the S3 API lists half uploads; the S3 server of these tests cannot.
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    if (request.method === "DELETE") {
      abandoned.push(decodeURIComponent(pathname.slice("/arquivos/".length)));
      response.writeHead(204).end();
      return;
    }
    const uploads = keys.map(
      (key) =>
        `<Upload><Key>${key}</Key><UploadId>1</UploadId><Initiated>2020-01-01T00:00:00Z</Initiated></Upload>`,
    );
    response.end(`<ListMultipartUploadsResult>${uploads.join("")}</ListMultipartUploadsResult>`);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const endpoint = `http://localhost:${(server.address() as AddressInfo).port}`;
  const blobStore = bucketStore({
    endpoint,
    bucket: "arquivos",
    region: "auto",
    accessKey: "A",
    secretKey: "B",
  });
  expect(await abandonStrayUploads(blobStore)).toBe(1);
  expect(abandoned).toEqual([own]);
  server.close();
});
