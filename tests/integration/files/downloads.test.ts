import { randomBytes } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOWNLOADS_PER_SALE } from "#app/domain/access/limits.ts";
import { listDownloads } from "#app/domain/access/list-downloads.server.ts";
import { itemUrl } from "#app/domain/access/open-item.server.ts";
import { recordDecision } from "#app/domain/refund/record-dispute.server.ts";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { addressesOf, signedAddress, soldFile } from "#tests/integration/files/delivery.ts";
import { memoryOf } from "#tests/integration/files/memory.ts";
import { startS3, storageSettings } from "#tests/integration/files/s3.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { sendFile } from "#tests/support/files/send-file.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });
const bytes = (size: number) => new Uint8Array(randomBytes(size));
const counted = async (saleId: string) =>
  (await sql`select count(*)::int as n from downloads where sale_id = ${saleId}`)[0]!.n;
const read = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

test("a file is sent whole, by ranges, and not at all to a client that has it", async () => {
  const content = bytes(3_000_000);
  const { permanent, upload } = await soldFile(app, content, "Ação 100%.pdf");
  const address = await signedAddress(app, permanent);
  const whole = await app.fetch(address, { headers: { "Accept-Encoding": "gzip, br" } });
  expect(whole.status).toBe(200);
  const headersSent = Object.fromEntries(whole.headers);
  expect(headersSent).toMatchObject({
    "content-length": "3000000",
    "accept-ranges": "bytes",
    etag: `"${upload.id}"`,
    "content-disposition": `attachment; filename="Acao 100_.pdf"; filename*=UTF-8''A%C3%A7%C3%A3o%20100%25.pdf`,
  });
  expect(headersSent["content-encoding"]).toBeUndefined();
  expect((await read(whole)).equals(content)).toBe(true);

  const send = (headers: Record<string, string>, method = "GET") => app.fetch(address, { headers, method });
  const middle = await send({ Range: "bytes=1000000-1999999" });
  expect([middle.status, middle.headers.get("content-range")]).toEqual([
    206,
    "bytes 1000000-1999999/3000000",
  ]);
  expect((await read(middle)).equals(content.subarray(1_000_000, 2_000_000))).toBe(true);
  const end = await send({ Range: "bytes=-5" });
  expect((await read(end)).equals(content.subarray(-5))).toBe(true);
  const rest = await send({ Range: "bytes=2999990-", "If-Range": `"${upload.id}"` });
  expect([rest.status, (await read(rest)).length]).toEqual([206, 10]);
  const changed = await send({ Range: "bytes=2999990-", "If-Range": '"another"' });
  expect([changed.status, (await read(changed)).length]).toEqual([200, 3_000_000]);
  const beyond = await send({ Range: "bytes=3000000-" });
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */3000000"]);
  expect((await send({ "If-None-Match": `"${upload.id}"` })).status).toBe(304);
  const head = await send({}, "HEAD");
  expect([head.status, head.headers.get("content-length"), (await read(head)).length]).toEqual([
    200,
    "3000000",
    0,
  ]);
});

test("all requests by one signed address are one download, and a look without one is none", async () => {
  const { permanent, sale } = await soldFile(app, bytes(1000));
  const address = await signedAddress(app, permanent);
  await app.fetch(permanent, { method: "HEAD" });
  await app.fetch(address, { method: "HEAD" });
  expect(await counted(sale.id)).toBe(0);
  const stretch = (from: number) => app.fetch(address, { headers: { Range: `bytes=${from}-` } });
  await Promise.all([stretch(0), stretch(100), stretch(200), stretch(300)]);
  await stretch(500);
  expect(await counted(sale.id)).toBe(1);
});

test("a sale's downloads end at the limit, also at once, until its seller lifts it for this buyer", async () => {
  const { permanent, sale, line, item, client, product } = await soldFile(app, bytes(1000));
  const other = await makeSale(product, { status: "completed" });
  await sql`insert into downloads (sale_id, seller_id, line_id, item_id, ticket)
    select ${sale.id}, (select seller_id from sales where id = ${sale.id}), l.id, ${item}, 'before ' || n
    from sale_lines l, generate_series(1, ${DOWNLOADS_PER_SALE - 2}::int) n where l.sale_id = ${sale.id}`;
  // Addresses of one second are the same.
  const signed = [1, 2, 3, 4].map((ago) => itemUrl(sale.id, line, item, Date.now() - ago * SECOND));
  const statuses = (await Promise.all(signed.map((one) => app.fetch(one)))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 200, 403, 403]);
  const refused = await app.fetch(await signedAddress(app, permanent));
  const page = await refused.text();
  for (const expectedText of ["liberar novos downloads", "<h1>Limite de downloads atingido</h1>", "Fale com"])
    expect(page).toContain(expectedText);
  expect(await counted(other.id)).toBe(0);

  const stranger = await signedIn(await makeSeller());
  const lift = (headers: Record<string, string>) =>
    app.fetch(`/reports/sales/${sale.id}/downloads`, {
      method: "POST",
      headers,
      body: new URLSearchParams(),
    });
  expect((await lift(stranger)).status).toBe(404);
  expect((await lift(client.headers)).status).toBe(302);
  expect((await app.fetch(await signedAddress(app, permanent))).status).toBe(200);
});

test("each file of a purchase has a limit of its own", async () => {
  const { permanent, sale, client, product } = await soldFile(app, bytes(1000));
  await sendFile(client, { product_id: product.id, name: "cifras.pdf" }, bytes(500));
  const [{ id: second }] = (await sql`
    select i.id from content_items i join contents c on c.id = i.content_id
    where c.product_id = ${product.id} and i.name = 'cifras.pdf'`) as unknown as [{ id: string }];
  const { line, item } = await addressesOf(sale.id);
  await sql`insert into downloads (sale_id, seller_id, line_id, item_id, ticket)
    select ${sale.id}, (select seller_id from sales where id = ${sale.id}), ${line}, ${item}, ${sale.id} || n from generate_series(1, ${DOWNLOADS_PER_SALE}::int) n`;
  const open = async (address: string) => (await app.fetch(await signedAddress(app, address))).status;
  expect(await open(permanent)).toBe(403);
  expect(await open(`/download/${sale.id}/${line}?item=${second}`)).toBe(200);
});

test.each([
  ["pending", "ainda não foi confirmado"],
  ["failed", "não foi aprovado"],
  ["cancelled", "encerrada sem pagamento"],
  ["disputed", "o acesso está suspenso"],
  ["refunded", "foi devolvido"],
  ["chargedback", "foi contestado"],
])("no link of a %s sale opens, and each states why", async (status, expectedText) => {
  const { permanent, sale } = await soldFile(app, bytes(10));
  const address = await signedAddress(app, permanent);
  await sql`update sales set status = ${status},
    completed_at = case when ${status} in ('disputed', 'refunded', 'chargedback') then now() end,
    access_suspended_at = case when ${status} = 'disputed' then now() end,
    refunded_at = case when ${status} = 'refunded' then now() end where id = ${sale.id}`;
  for (const link of [permanent, address]) {
    const answer = await app.fetch(link);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(expectedText);
  }
  expect(await counted(sale.id)).toBe(0);
});

test.each([
  ["refund", recordRefund, "informou que devolveu o valor"],
  [
    "chargeback",
    (sellerId: string, saleId: string) => recordDecision(sellerId, saleId, "lost"),
    "informou que o pagamento foi contestado",
  ],
])("a %s that only the seller reports is no fact on the page of a link", async (_, record, expectedText) => {
  const { permanent, sale, seller } = await soldFile(app, bytes(10));
  await makeCharge(sale, { status: "paid" });
  await record(seller.id, sale.id);
  const answer = await app.fetch(permanent);
  expect(answer.status).toBe(403);
  const page = await answer.text();
  expect(page).toContain(expectedText);
  expect(page).not.toContain("O pagamento desta compra foi");
});

test("an expired or changed link opens nothing; the expired one offers a new one with one click", async () => {
  const { permanent, sale, line, item } = await soldFile(app, bytes(10));
  const expired = await app.fetch(itemUrl(sale.id, line, item, Date.now() - 7 * 3_600_000));
  expect(expired.status).toBe(403);
  const page = await expired.text();
  expect(page).toContain("Este link expirou");
  expect(page).toContain(permanent.replace("&", "&amp;"));
  const address = await signedAddress(app, permanent);
  for (const changed of [
    address.replace("ate=1", "ate=2"),
    `${address}A`,
    address.replace(/assinatura=.*/, "assinatura="),
    address.replace(/&assinatura=.*/, ""),
    address.replace(/&ate=\d+/, ""),
  ])
    expect((await app.fetch(changed)).status, changed).toBe(404);
});

test("an expired link of a file stored elsewhere states why, and a click leads to it; of a refunded sale neither does", async () => {
  const { downloadUrl } = await import("#app/domain/access/open-download.server.ts");
  const elsewhere = "https://arquivos.exemplo.com.br/curso.pdf";
  const sale = await makeSale(await makeProduct(await makeSeller(), { fileUrl: elsewhere }), {
    status: "completed",
  });
  const [line] = await sql`select id from sale_lines where sale_id = ${sale.id}`;
  const expired = downloadUrl(sale.id, line!.id, Date.now() - 7 * 3_600_000);
  const ended = await app.fetch(expired);
  expect(ended.status).toBe(403);
  const [, tap] = /href="([^"]*)"[^>]*>Baixar com um link novo/.exec(await ended.text())!;
  const signed = await signedAddress(app, tap!);
  expect((await app.fetch(signed)).headers.get("location")).toBe(elsewhere);
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`;
  for (const address of [tap!, signed]) {
    const answer = await app.fetch(address);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("foi devolvido")]);
  }
});

test("a link of one purchase opens nothing of another", async () => {
  const [a, b] = [await soldFile(app, bytes(10)), await soldFile(app, bytes(10))];
  for (const path of [
    `/download/${a.sale.id}/${b.line}?item=${b.item}`,
    `/download/${a.sale.id}/${a.line}?item=${b.item}`,
    `/download/${b.sale.id}/${a.line}?item=${a.item}`,
    `/download/${a.sale.id}/${a.line}?item=x`,
  ])
    expect((await app.fetch(path)).status, path).toBe(404);
});

test("a missing file is neither sent in part nor counted: the buyer is told, and its seller is notified once", async () => {
  const { permanent, upload, seller, sale } = await soldFile(app, bytes(10));
  rmSync(join(process.env.DATA_DIR!, "files", upload.id.slice(0, 2), upload.id));
  for (let each = 0; each < 2; each++) {
    const answer = await app.fetch(await signedAddress(app, permanent));
    expect(answer.status).toBe(503);
    const html = await answer.text();
    expect(html).toContain("Quem vendeu já sabe; tente de novo mais tarde. Fale com");
    expect(html).toContain("Ver a minha compra");
  }
  const headersSent =
    await sql`select recipient from mails where kind = 'missing-file' and seller_id = ${seller.id}`;
  expect(headersSent).toEqual([{ recipient: seller.email }]);
  expect(await counted(sale.id)).toBe(0);
  await until(() => app.log().some(({ level, file }) => Number(level) >= 50 && file === upload.id));
});

test("a file that came back is no longer reported missing, and if it vanishes again its seller is notified again", async () => {
  const { permanent, upload, seller } = await soldFile(app, bytes(10));
  const file = join(process.env.DATA_DIR!, "files", upload.id.slice(0, 2), upload.id);
  const headersSent = async () =>
    (await sql`select from mails where kind = 'missing-file' and seller_id = ${seller.id}`).length;
  const isMissing = async () =>
    (await sql`select missing_at from files where id = ${upload.id}`)[0]!.missing_at !== null;
  for (let times = 1; times <= 2; times++) {
    renameSync(file, `${file}.away`);
    expect((await app.fetch(await signedAddress(app, permanent))).status).toBe(503);
    expect([await headersSent(), await isMissing()]).toEqual([times, true]);
    renameSync(`${file}.away`, file);
    const answer = await app.fetch(await signedAddress(app, permanent));
    expect([answer.status, (await read(answer)).length]).toEqual([200, 10]);
    expect(await isMissing()).toBe(false);
  }
});

test("a link leads on and a text is read, sanitised, only while the purchase is paid", async () => {
  const { sale, line, product } = await soldFile(app, bytes(10));
  const [content] = await sql`select id from contents where product_id = ${product.id}`;
  const [link] = await sql`insert into content_items (content_id, seller_id, kind, name, url)
    values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'link', 'Grupo', 'https://grupo.exemplo.com.br/x') returning id`;
  const [text] = await sql`insert into content_items (content_id, seller_id, kind, name, html)
    values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'text', 'Leia', '<h2 style="color:#333">Oi</h2><script>alert(1)</script>') returning id`;
  const at = (id: string) => `/download/${sale.id}/${line}?item=${id}`;
  const led = await app.fetch(await signedAddress(app, at(link!.id)));
  expect(led.headers.get("location")).toBe("https://grupo.exemplo.com.br/x");
  const page = await (await app.fetch(at(text!.id))).text();
  expect(page).toContain('<h2 class="t0">Oi</h2>');
  // Dark letters need a light page, whatever the device has.
  expect(page).toContain('<html lang="pt-BR" data-theme="claro">');
  expect(page).not.toContain("alert(1)");
  const expired = itemUrl(sale.id, line, text!.id, Date.now() - 7 * 3_600_000);
  expect((await app.fetch(expired)).status).toBe(403);
  expect((await app.fetch(itemUrl(sale.id, line, text!.id))).status).toBe(200);
  const thanks = await (await app.fetch(`/thank-you/${sale.id}`)).text();
  for (const name of ["apostila.pdf", "Grupo", "Leia"]) expect(thanks).toContain(name);
  expect(thanks).not.toContain("grupo.exemplo.com.br");
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`;
  expect((await app.fetch(at(text!.id))).status).toBe(403);
  expect(await (await app.fetch(`/thank-you/${sale.id}`)).text()).not.toContain("apostila.pdf");
});

longTest(
  "with an S3 service parts go there as they come, and buyers are led to a short address of its own",
  async () => {
    const s3 = await startS3();
    const away = await startApp({
      worker: 0,
      sandbox: false,
      env: storageSettings(s3),
    });
    const content = bytes(8 * 1024 * 1024 + 99);
    const { permanent, sale, client, product } = await soldFile(away, content);
    const led = await away.fetch(await signedAddress(away, permanent));
    expect(led.status).toBe(302);
    const address = new URL(led.headers.get("location")!);
    expect(address.origin).toBe(s3.bucket.endpoint);
    expect(Number(address.searchParams.get("X-Amz-Expires"))).toBe(600);
    const answer = await fetch(address);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="apostila.pdf"/);
    expect((await read(answer)).equals(content)).toBe(true);
    expect(await counted(sale.id)).toBe(1);
    await s3.close();
    const upload = sendFile(client, { product_id: product.id, name: "b" }, bytes(10));
    await expect(upload).rejects.toThrow("503");
    await away.close();
  },
);

test("when few downloads are left the buyer sees how many", async () => {
  const { permanent, sale } = await soldFile(app, bytes(1000));
  const thanks = async () => (await app.fetch(`/thank-you/${sale.id}`)).text();
  expect(await thanks()).not.toMatch(/restam?/);
  const { line, item } = await addressesOf(sale.id);
  await sql`insert into downloads (sale_id, seller_id, line_id, item_id, ticket)
    select ${sale.id}, (select seller_id from sales where id = ${sale.id}), ${line}, ${item}, ${sale.id} || n from generate_series(1, ${DOWNLOADS_PER_SALE - 2}::int) n`;
  expect(await thanks()).toContain("restam 2 downloads");
  await app.fetch(await signedAddress(app, permanent));
  expect(await thanks()).toContain("resta 1 download");
});

longTest("memory stays flat while many slow buyers download a large file at once", async () => {
  const content = bytes(64 * 1024 * 1024);
  const sold = await soldFile(app, content, "aula.mp4");
  const another = await makeSale(sold.product, { status: "completed" });
  const addresses = [
    await signedAddress(app, sold.permanent),
    await signedAddress(app, (await addressesOf(another.id)).permanent),
  ];
  const memory = () => memoryOf(app.web[0]!.pid!);
  const before = memory();
  const readers = await Promise.all(
    Array.from({ length: 30 }, async (_, nth) => (await app.fetch(addresses[nth % 2]!)).body!.getReader()),
  );
  // Each reads a little and then nothing: what they do not read must wait on the disk.
  for (const reader of readers) await reader.read();
  await new Promise((later) => setTimeout(later, 1500));
  expect(memory() - before).toBeLessThan(120);
  for (const reader of readers) await reader.cancel();
});

test("one purchase has twenty downloads at once, and a slot again when one of them ends", async () => {
  const content = bytes(8 * 1024 * 1024);
  const sold = await soldFile(app, content, "aula.mp4");
  const address = await signedAddress(app, sold.permanent);
  const another = await makeSale(sold.product, { status: "completed" });
  const download = async () => (await app.fetch(address)).body!.getReader();
  const readers = await Promise.all(Array.from({ length: 20 }, download));
  const refused = await app.fetch(address);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toContain("Já há downloads demais desta compra ao mesmo tempo.");
  expect((await app.fetch(address, { method: "HEAD" })).status).toBe(200);
  const other = await app.fetch(await signedAddress(app, (await addressesOf(another.id)).permanent));
  expect(Buffer.from(await other.arrayBuffer()).equals(content)).toBe(true);
  await readers.pop()!.cancel();
  await until(async () => {
    const again = await app.fetch(address);
    const whole = Buffer.from(await again.arrayBuffer());
    return again.status === 200 && whole.equals(content);
  });
  for (const reader of readers) await reader.cancel();
});

test("the files of a sale with their downloads are listed for its seller, and for no other", async () => {
  const { seller, sale, item } = await soldFile(app, bytes(10));
  const other = await makeSeller();
  expect(await listDownloads(seller.id, sale.id)).toMatchObject([{ itemId: item, total: 0 }]);
  expect(await listDownloads(other.id, sale.id)).toEqual([]);
});
