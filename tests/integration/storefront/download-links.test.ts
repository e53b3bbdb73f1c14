import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findPurchaseLines } from "#app/domain/access/find-purchase-lines.server.ts";
import { downloadUrl, openDownload } from "#app/domain/access/open-download.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveUpsells } from "#app/domain/catalog/save-upsells.server.ts";
import { isStopLink } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";
import { stopLinkTo } from "#tests/support/rows/make-mail.ts";

const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
const [line] = await sql`select id from sale_lines where sale_id = ${sale.id}`;
const query = () => new URL(downloadUrl(sale.id, line!.id), "http://x").searchParams;
const open = (params: URLSearchParams) => openDownload(sale.id, line!.id, params, NOBODY);
const NOBODY = { placedSaleIds: [], key: "", findPortalEmail: async () => null };

test("a download link opens as it was made", async () => {
  expect(await open(query())).toMatch(/^https:/);
});

test.each([
  ["a zero in front", (until: string) => `0${until}`],
  ["a blank", (until: string) => ` ${until}`],
  ["a sign", (until: string) => `+${until}`],
  ["a fraction", (until: string) => `${until}.0`],
  ["an exponent", (until: string) => `${until}e0`],
  ["hexadecimal", (until: string) => `0x${Number(until).toString(16)}`],
  [
    "full-width digits",
    (until: string) => until.replace(/\d/g, (digit) => "０１２３４５６７８９"[Number(digit)]!),
  ],
  ["nothing", () => ""],
  ["an hour more", (until: string) => String(Number(until) + 3600)],
])("a moment written with %s is not ours", async (_, change) => {
  const params = query();
  params.set("ate", change(params.get("ate")!));
  await expect(open(params)).rejects.toMatchObject({ kind: "not-found" });
});

test.each([
  ["none", ""],
  ["the beginning of the right one", query().get("assinatura")!.slice(0, -1)],
  ["the right one and more", `${query().get("assinatura")}A`],
])("a signature that is %s opens nothing", async (_, signature) => {
  const params = query();
  params.set("assinatura", signature);
  await expect(open(params)).rejects.toMatchObject({ kind: "not-found" });
});

test("a link that stops reminders accepts only its own signature", () => {
  const { signature } = stopLinkTo(sale.id, sale.customerEmail!);
  expect(
    [signature, signature.slice(1), `${signature}A`, ""].map((each) => isStopLink(sale.id, each)),
  ).toEqual([true, false, false, false]);
});

test("a download link works for six hours", async () => {
  const madeAgo = (minutes: number) => {
    const link = downloadUrl(sale.id, line!.id, Date.now() - minutes * 60_000);
    return new URL(link, "http://x").searchParams;
  };
  expect(await open(madeAgo(359))).toMatch(/^https:/);
  await expect(open(madeAgo(361))).rejects.toMatchObject({ code: "link_expired" });
});

test("half of a signature, an id that is none and the line of another sale open nothing", async () => {
  for (const left of ["ate", "assinatura"]) {
    const params = query();
    params.delete(left);
    await expect(open(params), left).rejects.toMatchObject({ kind: "not-found" });
  }
  const other = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const [otherLine] = await sql`select id from sale_lines where sale_id = ${other.id}`;
  for (const [saleId, lineId] of [
    [sale.id, "1"],
    ["1", line!.id],
    [sale.id, otherLine!.id],
  ]) {
    const opening = openDownload(saleId, lineId, new URLSearchParams(), NOBODY);
    await expect(opening).rejects.toMatchObject({ kind: "not-found" });
  }
});

/** A paid sale of a product with a bump and an upsell, none of which has a file yet. */
async function soldWithoutFiles() {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { fileUrl: null });
  const bump = await makeBump(product, { fileUrl: null });
  const upsell = await makeUpsell(product);
  const bought = await makeSale(product, { status: "completed" });
  await sql`insert into sale_lines (sale_id, seller_id, kind, order_bump_id, name, price_cents, position)
    values (${bought.id}, ${seller.id}, 'bump', ${bump.id}, 'Apostila', 1990, 1)`;
  await sql`insert into sale_lines (sale_id, seller_id, kind, upsell_id, name, price_cents, position)
    values (${bought.id}, ${seller.id}, 'offer', ${upsell.id}, 'Mentoria', 19700, 2)`;
  const hasFile = async () => {
    const lines = await findPurchaseLines([bought.id]);
    return lines.get(bought.id)!.map((each) => each.hasFile);
  };
  const openAll = async () => {
    const lines = await sql`select id from sale_lines where sale_id = ${bought.id} order by position`;
    const opened = lines.map(({ id }) =>
      openDownload(bought.id, id, new URL(downloadUrl(bought.id, id), "http://x").searchParams, NOBODY),
    );
    return Promise.all(opened);
  };
  return { seller, product, bump, upsell, bought, hasFile, openAll };
}

/** Gives all of them their files. @returns their addresses */
async function addFiles({ product, bump, upsell }: Awaited<ReturnType<typeof soldWithoutFiles>>) {
  const urls = ["curso", "apostila", "mentoria"].map((name) => `https://exemplo.com.br/${name}.pdf`);
  await sql`update products set file_url = ${urls[0]!} where id = ${product.id}`;
  await sql`update order_bumps set file_url = ${urls[1]!} where id = ${bump.id}`;
  await sql`update upsells set file_url = ${urls[2]!} where id = ${upsell.id}`;
  return urls;
}

test("a line leads to the file that its product, bump or upsell has now", async () => {
  const sold = await soldWithoutFiles();
  expect(await sold.hasFile()).toEqual([false, false, false]);
  const urls = await addFiles(sold);
  expect(await sold.hasFile()).toEqual([true, true, true]);
  expect(await sold.openAll()).toEqual(urls);
});

test("a removed bump or upsell leads to the file that it had last", async () => {
  const sold = await soldWithoutFiles();
  const { seller, product, bought } = sold;
  const others = await soldWithoutFiles();
  const urls = await addFiles(sold);
  await addFiles(others);
  await sql`update sale_lines set file_url = 'https://exemplo.com.br/antigo.pdf' where sale_id = ${bought.id} and kind = 'bump'`;
  await db.transaction(async (tx) => {
    await saveBumps(tx, { sellerId: seller.id, productId: product.id }, []);
    await saveUpsells(tx, { sellerId: seller.id, productId: product.id }, []);
  });
  expect(await sold.hasFile()).toEqual([true, true, true]);
  expect(await sold.openAll()).toEqual(urls);
  const untouched =
    await sql`select file_url from sale_lines where sale_id = ${others.bought.id} and kind <> 'product'`;
  expect(untouched.map((line) => line.file_url)).toEqual([null, null]);
});

test("a bump that was removed without a file leads to the one it was sold with", async () => {
  const { seller, product, bought, hasFile } = await soldWithoutFiles();
  await sql`update sale_lines set file_url = 'https://exemplo.com.br/apostila.pdf' where sale_id = ${bought.id} and kind = 'bump'`;
  await db.transaction((tx) => saveBumps(tx, { sellerId: seller.id, productId: product.id }, []));
  expect(await hasFile()).toEqual([false, true, false]);
});
