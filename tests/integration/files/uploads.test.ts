import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import { removeItem } from "#app/domain/content/remove-item.server.ts";
import { addressesOf, signedAddress, soldFile } from "#tests/integration/files/delivery.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { announceFile, sendFile, sendPart, type Upload } from "#tests/support/files/send-file.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0, env: { STORAGE_SELLER_GB: "0.1" } });
const PART = 8 * 1024 * 1024;
const folder = join(process.env.DATA_DIR!, "files");
const bytes = (size: number) => new Uint8Array(randomBytes(size));

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  return { seller, product, client: { app, headers: await signedIn(seller) } };
}

const itemsOf = (productId: number) => sql<{ name: string; file_id: string }[]>`
  select i.name, i.file_id from content_items i join contents c on c.id = i.content_id
  where c.product_id = ${productId} order by i.position`;

const stored = (id: string) => readFileSync(join(folder, id.slice(0, 2), id));

test("a file sent in parts is stored unchanged, and becomes part of the product", async () => {
  const { product, client } = await shop();
  const content = bytes(2 * PART + 777);
  const upload = await sendFile(client, { product_id: product.id, name: "aula.mp4" }, content);
  expect(stored(upload.id).equals(content)).toBe(true);
  expect(await itemsOf(product.id)).toEqual([{ name: "aula.mp4", file_id: upload.id }]);
});

test("a part out of order is refused, and the upload reports the next offset", async () => {
  const { product, client } = await shop();
  const content = bytes(PART + 10);
  const upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: content.length });
  const early = await sendPart(client, upload, PART, content.subarray(PART));
  expect([early.status, ((await early.json()) as { code: string }).code]).toEqual([409, "wrong_offset"]);
  expect((await sendPart(client, upload, 0, content.subarray(0, PART))).status).toBe(200);
  expect((await sendPart(client, upload, 0, content.subarray(0, PART))).status).toBe(409);
  const state = await app.fetch(`/api/uploads/${upload.id}`, { headers: client.headers });
  expect(((await state.json()) as Upload).received).toBe(PART);
});

test("the same part sent twice at once is stored once, complete", async () => {
  const { product, client } = await shop();
  const content = bytes(PART + 5);
  const upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: content.length });
  const first = () => sendPart(client, upload, 0, content.subarray(0, PART));
  const statuses = (await Promise.all([first(), first(), first()])).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409, 409]);
  await sendPart(client, upload, PART, content.subarray(PART));
  expect(stored(upload.id).equals(content)).toBe(true);
});

test("a connection cut at 99 % loses nothing that came, and nothing half is shown", async () => {
  const { product, client } = await shop();
  const content = bytes(1_000_000);
  const upload = await announceFile(client, { product_id: product.id, name: "a.bin", size: content.length });
  await cutAfter(client.headers, `/api/uploads/${upload.id}?offset=0`, content, 990_000);
  const received = async () => {
    const state = await app.fetch(`/api/uploads/${upload.id}`, { headers: client.headers });
    return ((await state.json()) as Upload).received;
  };
  await until(async () => (await received()) > 0);
  expect(await itemsOf(product.id)).toEqual([]);
  const from = await received();
  const last = await sendPart(client, upload, from, content.subarray(from));
  expect(last.status, await last.clone().text()).toBe(200);
  expect(stored(upload.id).equals(content)).toBe(true);
});

/** Sends a request's beginning and disconnects. */
async function cutAfter(headers: Record<string, string>, path: string, content: Uint8Array, sent: number) {
  await new Promise<void>((resolve) => {
    const outgoing = request(new URL(path, app.url), {
      method: "PUT",
      headers: { ...headers, "Content-Length": content.length, "X-Forwarded-For": newAddress() },
    });
    outgoing.on("error", () => resolve());
    outgoing.write(content.subarray(0, sent), () => setTimeout(() => outgoing.destroy(), 50));
    outgoing.on("close", resolve);
  });
}

test("two uploads of one name are two files", async () => {
  const { product, client } = await shop();
  const [one, two] = [bytes(1000), bytes(2000)];
  const named = { product_id: product.id, name: "apostila.pdf" };
  const [a, b] = await Promise.all([sendFile(client, named, one), sendFile(client, named, two)]);
  expect(stored(a.id).equals(one)).toBe(true);
  expect(stored(b.id).equals(two)).toBe(true);
  expect((await itemsOf(product.id)).map(({ name }) => name)).toEqual(["apostila.pdf", "apostila.pdf"]);
});

longTest(
  "a web that is killed at any moment of an upload leaves it to be gone on with by the next",
  async () => {
    const { product, client } = await shop();
    const content = bytes(3 * PART + 1);
    const announced = { product_id: product.id, name: "a.bin", size: content.length };
    let upload = await announceFile(client, announced);
    for (let killed = 0; killed < 3; killed++) {
      const part = content.subarray(upload.received, upload.received + PART);
      const sent = sendPart(client, upload, upload.received, part).catch(() => null);
      await new Promise((later) => setTimeout(later, killed * 25));
      await app.web[0]!.kill();
      await sent;
      await app.web[0]!.start();
      const state = await app.fetch(`/api/uploads/${upload.id}`, { headers: client.headers });
      upload = (await state.json()) as Upload;
    }
    while (!upload.ready_at) {
      const part = content.subarray(upload.received, upload.received + PART);
      upload = (await (await sendPart(client, upload, upload.received, part)).json()) as Upload;
    }
    expect(stored(upload.id).equals(content)).toBe(true);
  },
);

test("an upload whose web process died after its last part is completed by the next request, or by the job", async () => {
  const { product, client } = await shop();
  for (const finish of ["asked", "clock"]) {
    const content = bytes(5000);
    const upload = await sendFile(client, { product_id: product.id, name: finish }, content);
    // The state after the process died between the part and the completion.
    await sql`delete from content_items where file_id = ${upload.id}`;
    await sql`update files set ready_at = null, content_type = null, touched_at = now() - interval '1 hour' where id = ${upload.id}`;
    if (finish === "asked") expect((await sendPart(client, upload, 5000, new Uint8Array())).status).toBe(200);
    else await cleanFiles.handle({}, { number: 1, last: false });
    expect((await itemsOf(product.id)).map(({ file_id }) => file_id)).toContain(upload.id);
  }
});

test.each([
  ["../../etc/passwd", "passwd"],
  ["..\\..\\boot.ini", "boot.ini"],
  ["apostila\u0000.pdf", "apostila.pdf"],
  ["fdp\u202Eexe.pdf", "fdpexe.pdf"],
  ["linha\r\nSet-Cookie: a=b.pdf", "linha Set-Cookie_ a=b.pdf"],
  [`${"a".repeat(400)}.pdf`, `${"a".repeat(146)}.pdf`],
  ['a"b<c>.html', "a_b_c_.html"],
  ["...", "arquivo"],
  ["Ação & Reação ✓ 日本.pdf", "Ação & Reação ✓ 日本.pdf"],
])("a file called %j is called %j, and its name is nowhere on the disk", async (typed, view) => {
  const { product, client } = await shop();
  const upload = await sendFile(client, { product_id: product.id, name: typed }, bytes(10));
  expect(upload.name).toBe(view);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(
    names.filter((name) => !/^([0-9a-f]{2}|uploads)(\/[0-9a-f-]{36}(\.[0-9a-f-]{36})?)?$/.test(name)),
  ).toEqual([]);
});

test.each([
  ["virus.pdf", "MZ\x90\x00", "application/octet-stream"],
  ["a.txt", "%PDF-1.7", "application/pdf"],
  ["a.pdf", "<html><script>alert(1)</script>", "application/octet-stream"],
  ["a.png", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "application/octet-stream"],
  ["a.jpg", "GIF89a<script>", "image/gif"],
])("the type of %s is what its bytes show, and it is only ever downloaded", async (name, start, type) => {
  const content = new Uint8Array(Buffer.from(start, "latin1"));
  const { permanent } = await soldFile(app, content, name);
  const answer = await app.fetch(await signedAddress(app, permanent));
  expect(answer.headers.get("content-type")).toBe(type);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment;/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
});

test("a file beyond a seller's storage is refused before it is sent, also of two at once", async () => {
  const { product, client } = await shop();
  const half = { product_id: product.id, name: "a.bin", size: 60 * 1024 * 1024 };
  const both = await Promise.allSettled([announceFile(client, half), announceFile(client, half)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(announceFile(client, half)).rejects.toThrow("quota_exceeded");
  await expect(announceFile(client, half)).rejects.toThrow(/Faltam \d+ MB de espaço/);
});

test("a part longer than a part, or shorter, is refused", async () => {
  const { product, client } = await shop();
  const upload = await announceFile(client, { product_id: product.id, name: "a", size: 2 * PART });
  for (const length of [PART + 1, PART - 1, 0])
    expect((await sendPart(client, upload, 0, bytes(length))).status, String(length)).toBe(400);
});

test("another seller's upload, product or item is not found", async () => {
  const [a, b] = [await shop(), await shop()];
  const theirs = await announceFile(b.client, { product_id: b.product.id, name: "a", size: 10 });
  const whole = await sendFile(b.client, { product_id: b.product.id, name: "b" }, bytes(10));
  const [item] = await sql`select id from content_items where file_id = ${whole.id}`;
  expect((await sendPart(a.client, theirs, 0, bytes(10))).status).toBe(404);
  const mine = { product_id: a.product.id, name: "x", size: 10 };
  await expect(announceFile(a.client, { ...mine, product_id: b.product.id })).rejects.toThrow("404");
  await expect(announceFile(a.client, { ...mine, replaces: item!.id })).rejects.toThrow("404");
  const gone = await app.fetch(`/api/uploads/${theirs.id}`, { method: "DELETE", headers: a.client.headers });
  expect(gone.status).toBe(404);
});

test("giving an upload up says whether it was cancelled, or had arrived whole and stays", async () => {
  const { product, client } = await shop();
  const begun = await announceFile(client, { product_id: product.id, name: "a", size: 10 });
  const whole = await sendFile(client, { product_id: product.id, name: "b" }, bytes(10));
  const giveUp = async ({ id }: { id: string }) => {
    const answer = await app.fetch(`/api/uploads/${id}`, { method: "DELETE", headers: client.headers });
    return [answer.status, await answer.json()];
  };
  expect(await giveUp(begun)).toEqual([200, { success: true, cancelled: true }]);
  expect(await giveUp(whole)).toEqual([200, { success: true, cancelled: false }]);
  expect(await itemsOf(product.id)).toEqual([{ name: "b", file_id: whole.id }]);
});

test("another site's page sends nothing with a seller's cookie", async () => {
  const { product, client } = await shop();
  const upload = await announceFile(client, { product_id: product.id, name: "a", size: 10 });
  const headers = {
    ...client.headers,
    Origin: "https://outra.exemplo.com.br",
    "Sec-Fetch-Site": "cross-site",
  };
  expect((await sendPart({ app, headers }, upload, 0, bytes(10))).status).toBe(403);
});

test("a replaced file reaches earlier buyers, and the old one is deleted a day later", async () => {
  const old = bytes(100);
  const { product, client, sale, upload } = await soldFile(app, old);
  const { item, permanent } = await addressesOf(sale.id);
  const content = bytes(200);
  const newer = await sendFile(client, { product_id: product.id, name: "v2.pdf", replaces: item }, content);
  const answer = await app.fetch(await signedAddress(app, permanent));
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  await cleanFiles.handle({}, { number: 1, last: false });
  expect(existsSync(join(folder, upload.id.slice(0, 2), upload.id))).toBe(true);
  await sql`update files set touched_at = now() - interval '2 days' where seller_id = ${product.sellerId}`;
  await cleanFiles.handle({}, { number: 1, last: false });
  expect(existsSync(join(folder, upload.id.slice(0, 2), upload.id))).toBe(false);
  expect(stored(newer.id).equals(content)).toBe(true);
});

test.each([
  [
    "replaced",
    async (sold: Awaited<ReturnType<typeof soldFile>>, item: string) =>
      void (await sendFile(
        sold.client,
        { product_id: sold.product.id, name: "v2.pdf", replaces: item },
        bytes(200),
      )),
  ],
  [
    "removed",
    async (sold: Awaited<ReturnType<typeof soldFile>>, item: string) => {
      await sendFile(sold.client, { product_id: sold.product.id, name: "outro.pdf" }, bytes(200));
      await removeItem(sold.seller.id, item);
    },
  ],
])("a file sent long ago that is %s today stays for a day: it may be downloading", async (_, change) => {
  const sold = await soldFile(app, bytes(100));
  const { item } = await addressesOf(sold.sale.id);
  const aged = (days: number) => sql`
    update files set touched_at = now() - make_interval(days => ${days}) where id = ${sold.upload.id}`;
  const isStored = () => existsSync(join(folder, sold.upload.id.slice(0, 2), sold.upload.id));
  await aged(100);
  await change(sold, item);
  await cleanFiles.handle({}, { number: 1, last: false });
  expect(isStored()).toBe(true);
  await aged(2);
  await cleanFiles.handle({}, { number: 1, last: false });
  expect(isStored()).toBe(false);
});

test("half uploads that no row names go after eight days; those with a row, or younger, stay", async () => {
  const { product, client } = await shop();
  const half = async (days: number) => {
    const upload = await announceFile(client, { product_id: product.id, name: "a", size: 2 * PART });
    await sendPart(client, upload, 0, bytes(PART));
    const path = join(folder, "uploads", upload.id);
    const at = new Date(Date.now() - days * 86_400_000);
    utimesSync(path, at, at);
    return { ...upload, path };
  };
  const [known, old, young] = [await half(9), await half(9), await half(7)];
  // The process that was to delete these was killed between row and bytes.
  await sql`delete from files where id in (${old.id}, ${young.id})`;
  await cleanFiles.handle({}, { number: 1, last: false });
  expect([known, old, young].map(({ path }) => existsSync(path))).toEqual([true, false, true]);
});

test("an upload abandoned for a week is deleted with its bytes", async () => {
  const { product, client } = await shop();
  const upload = await announceFile(client, { product_id: product.id, name: "a", size: 2 * PART });
  await sendPart(client, upload, 0, bytes(PART));
  await sql`update files set touched_at = now() - interval '8 days' where id = ${upload.id}`;
  await cleanFiles.handle({}, { number: 1, last: false });
  expect(existsSync(join(folder, "uploads", upload.id))).toBe(false);
  expect((await app.fetch(`/api/uploads/${upload.id}`, { headers: client.headers })).status).toBe(404);
});

test("an id that is none names no file", async () => {
  const { client } = await shop();
  for (const id of ["..%2f..%2fetc", randomUUID(), "x"])
    expect((await app.fetch(`/api/uploads/${id}`, { headers: client.headers })).status, id).toBe(404);
});

test("a removed bump's buyers keep what they bought", async () => {
  const { seller, product, client } = await shop();
  const [bump] =
    await sql`insert into order_bumps (product_id, seller_id, name, price_cents) values (${product.id}, (select seller_id from products where id = ${product.id}), 'Cifras', 500) returning id`;
  const content = bytes(50);
  const bumpId = Number(bump!.id);
  await sendFile(client, { product_id: product.id, name: "cifras.pdf", for: `bump-${bumpId}` }, content);
  const sale = await makeSale({ ...product, sellerId: seller.id }, { status: "completed" });
  const [line] =
    await sql`insert into sale_lines (sale_id, seller_id, kind, order_bump_id, name, price_cents, position)
    values (${sale.id}, (select seller_id from sales where id = ${sale.id}), 'bump', ${bumpId}, 'Cifras', 500, 1) returning id`;
  const [item] =
    await sql`select i.id from content_items i join contents c on c.id = i.content_id where c.order_bump_id = ${bumpId}`;
  const body = { name: product.name, price: 97, file_url: product.fileUrl, orderBumps: [] };
  const saved = await app.fetch(`/api/products/${product.id}`, {
    method: "PUT",
    headers: { ...client.headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(saved.status, await saved.text()).toBe(200);
  await cleanFiles.handle({}, { number: 1, last: false });
  const signed = await signedAddress(app, `/download/${sale.id}/${line!.id}?item=${item!.id}`);
  expect(Buffer.from(await (await app.fetch(signed)).arrayBuffer()).equals(content)).toBe(true);
});

test("a product that exists needs a link only where its content holds nothing", async () => {
  const { product, client } = await shop();
  const save = () =>
    app.fetch(`/api/products/${product.id}`, {
      method: "PUT",
      headers: { ...client.headers, "Content-Type": "application/json" },
      body: JSON.stringify({ name: product.name, price: 97, file_url: null }),
    });
  const refused = await save();
  expect(await refused.json()).toMatchObject({ field: "file_url", message: "Link do arquivo é obrigatório" });
  expect(refused.status).toBe(400);
  await sendFile(client, { product_id: product.id, name: "a.pdf" }, bytes(10));
  expect((await save()).status).toBe(200);
  const [item] =
    await sql`select i.id from content_items i join contents c on c.id = i.content_id where c.product_id = ${product.id}`;
  const remove = await app.fetch(`/products/${product.id}/content`, {
    method: "POST",
    headers: client.headers,
    body: new URLSearchParams({ intent: "remove", id: item!.id }),
  });
  expect([remove.status, await remove.text()]).toEqual([409, expect.stringContaining("único conteúdo")]);
});
