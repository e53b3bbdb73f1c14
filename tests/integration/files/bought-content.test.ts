import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findPurchaseLines } from "#app/domain/access/find-purchase-lines.server.ts";
import { listDownloads } from "#app/domain/access/list-downloads.server.ts";
import { downloadUrl, openDownload } from "#app/domain/access/open-download.server.ts";
import { itemUrl, type OpenedFile, openItem } from "#app/domain/access/open-item.server.ts";
import { productBody } from "#app/domain/catalog/product-form.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveUpsells } from "#app/domain/catalog/save-upsells.server.ts";
import { setProductActive } from "#app/domain/catalog/set-product-active.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { removeItem } from "#app/domain/content/remove-item.server.ts";
import { deleteOffer } from "#app/domain/offer/arrange-offers.server.ts";
import { findOffer } from "#app/domain/offer/find-offer.server.ts";
import { newOfferBody } from "#app/domain/offer/offer-form.server.ts";
import { createOffer, updateOffer } from "#app/domain/offer/save-offer.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { stampText, textKey } from "#app/domain/stamped-copy/stamp-text.server.ts";
import { paths } from "#app/kit/paths.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeOffer, makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";

const NOBODY = { placedSaleIds: [], key: "", findPortalEmail: async () => null };

const open = (saleId: string, lineId: string, address: string) =>
  openItem({ saleId, lineId, query: new URL(address, "http://x").searchParams, proof: NOBODY });

const lineOf = async ({ id }: { id: string }): Promise<string> =>
  (await sql`select id from sale_lines where sale_id = ${id}`)[0]!.id;

const counted = async ({ id }: { id: string }) =>
  (await sql`select count(*)::int as n from downloads where sale_id = ${id}`)[0]!.n;

/** A product with two PDFs and a link, and a paid sale by an offer that leaves out the second PDF. */
async function soldOffer() {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { fileUrl: null });
  const [content] = await sql<{ id: string }[]>`
    insert into contents (seller_id, product_id) values (${seller.id}, ${product.id}) returning id`;
  const addPdf = async (name: string, position: number) => {
    const [file] = await sql<{ id: string }[]>`
      insert into files (seller_id, name, size, received, content_type, ready_at)
      values (${seller.id}, ${name}, 10, 10, 'application/pdf', now()) returning id`;
    const [item] = await sql<{ id: string }[]>`
      insert into content_items (content_id, seller_id, kind, name, file_id, position)
      values (${content!.id}, ${seller.id}, 'file', ${name}, ${file!.id}, ${position}) returning id`;
    return { id: item!.id, fileId: file!.id };
  };
  const lesson = await addPdf("aula.pdf", 0);
  const bonus = await addPdf("bônus.pdf", 1);
  const [link] = await sql<{ id: string }[]>`
    insert into content_items (content_id, seller_id, kind, name, url, position)
    values (${content!.id}, ${seller.id}, 'link', 'Grupo', 'https://exemplo.com.br/grupo', 2) returning id`;
  const offer = await makeOffer(product, { contentItemIds: [lesson.id, link!.id] });
  const sale = await makeSale(product, { status: "completed", offerId: offer.id, offerName: offer.name });
  return { seller, product, offer, sale, line: await lineOf(sale), lesson, bonus, link: link!.id };
}

test("only the downloads since the seller allowed more count, for the seller and for the buyer", async () => {
  const { seller, product, sale, line, lesson } = await soldOffer();
  await makeSale(product, { status: "completed" });
  for (const days of [3, 2, 0])
    await sql`insert into downloads (sale_id, seller_id, line_id, item_id, ticket, at)
      values (${sale.id}, ${seller.id}, ${line}, ${lesson.id}, ${randomUUID()}, now() - make_interval(days => ${days}))`;
  await sql`insert into download_resets (sale_id, seller_id, at)
    values (${sale.id}, ${seller.id}, now() - interval '1 day')`;
  const file = { itemId: lesson.id, name: "aula.pdf", line: product.name };
  expect(await listDownloads(seller.id, sale.id)).toEqual([
    { ...file, total: 3, counted: 1, last: expect.any(Date) },
  ]);
  const [bought] = (await findPurchaseLines([sale.id])).get(sale.id)!;
  expect(bought!.items.map(({ name, downloadsLeft }) => [name, downloadsLeft])).toEqual([
    ["aula.pdf", 9],
    ["Grupo", null],
  ]);
});

test("downloads of a file that was replaced since do not count: each buyer may download the new one", async () => {
  const { seller, sale, line, lesson } = await soldOffer();
  await sql`insert into downloads (sale_id, seller_id, line_id, item_id, ticket)
    select ${sale.id}, ${seller.id}, ${line}, ${lesson.id}, ${sale.id} || n from generate_series(1, 10) n`;
  const address = itemUrl(sale.id, line, lesson.id);
  const old = (await open(sale.id, line, address)) as OpenedFile;
  await expect(old.count()).rejects.toMatchObject({ code: "download_limit" });
  const [file] = await sql<{ id: string }[]>`
    insert into files (seller_id, name, size, received, content_type, ready_at)
    values (${seller.id}, 'aula 2.pdf', 10, 10, 'application/pdf', now()) returning id`;
  await sql`update content_items set file_id = ${file!.id} where id = ${lesson.id}`;
  const leftOf = async () => (await findPurchaseLines([sale.id])).get(sale.id)![0]!.items[0]!.downloadsLeft;
  expect(await leftOf()).toBe(10);
  const newer = (await open(sale.id, line, address)) as OpenedFile;
  await newer.count();
  expect(await leftOf()).toBe(9);
  expect((await listDownloads(seller.id, sale.id))[0]).toMatchObject({ total: 11, counted: 1 });
});

test("an item that the offer leaves out does not open, and another sale's line opens none", async () => {
  const { product, sale, line, lesson, bonus } = await soldOffer();
  const other = await makeSale(product, { status: "completed" });
  const ask = (lineId: string, itemId: string) =>
    open(sale.id, lineId, paths.boughtItem(sale.id, lineId, itemId));
  expect(await ask(line, lesson.id)).toMatchObject({ kind: "lead" });
  await expect(ask(line, bonus.id)).rejects.toMatchObject({ kind: "not-found" });
  await expect(ask(await lineOf(other), lesson.id)).rejects.toMatchObject({ kind: "not-found" });
});

test("a signed link of an item works for six hours", async () => {
  const { sale, line, link } = await soldOffer();
  const madeAgo = (minutes: number) => itemUrl(sale.id, line, link, Date.now() - minutes * 60_000);
  expect(await open(sale.id, line, madeAgo(359))).toMatchObject({ to: "https://exemplo.com.br/grupo" });
  await expect(open(sale.id, line, madeAgo(361))).rejects.toMatchObject({ code: "link_expired" });
});

test("another buyer's downloads of a file do not count, and none begins after a refund", async () => {
  const { seller, product, sale, line, lesson } = await soldOffer();
  const other = await makeSale(product, { status: "completed" });
  const otherLine = await lineOf(other);
  await sql`insert into downloads (sale_id, seller_id, line_id, item_id, ticket)
    select ${other.id}, ${seller.id}, ${otherLine}, ${lesson.id}, 'other ' || n from generate_series(1, 10) n`;
  const first = (await open(sale.id, line, itemUrl(sale.id, line, lesson.id))) as OpenedFile;
  await first.count();
  expect(await counted(sale)).toBe(1);
  const later = itemUrl(sale.id, line, lesson.id, Date.now() + 60_000);
  const second = (await open(sale.id, line, later)) as OpenedFile;
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`;
  await expect(second.count()).rejects.toMatchObject({ kind: "not-found" });
  expect(await counted(sale)).toBe(1);
});

test("a stamped PDF is opened as the buyer's own copy, and as it is where it cannot be stamped", async () => {
  const { seller, sale, line, lesson } = await soldOffer();
  await sql`update content_items set stamped_since = now() where id = ${lesson.id}`;
  const [copy] = await sql<{ id: string }[]>`
    insert into files (seller_id, name, size, received, content_type, ready_at, is_copy)
    values (${seller.id}, 'aula.pdf', 12, 12, 'application/pdf', now(), true) returning id`;
  await sql`insert into stamped_copies (seller_id, file_id, sale_id, text_key, copy_id)
    values (${seller.id}, ${lesson.fileId}, ${sale.id}, ${textKey(stampText(sale))}, ${copy!.id})`;
  const address = itemUrl(sale.id, line, lesson.id);
  const stamped = { fileId: copy!.id, size: 12, isCopy: true };
  expect(await open(sale.id, line, address)).toMatchObject({ kind: "file", name: "aula.pdf", ...stamped });
  await sql`update stamped_copies set copy_id = null, failure = 'signed' where sale_id = ${sale.id}`;
  const unstamped = { fileId: lesson.fileId, size: 10, isCopy: false };
  expect(await open(sale.id, line, address)).toMatchObject({ kind: "file", name: "aula.pdf", ...unstamped });
});

const itemsOf = async ({ id }: { id: string }) =>
  (await findPurchaseLines([id])).get(id)!.flatMap(({ items }) => items.map(({ name }) => name));

const offerOf = (contentItemIds: string[]) =>
  newOfferBody.parse({ name: "Lote", price: 47, content_item_ids: contentItemIds });

test("the last item of an offer stays where its buyers would be left with nothing", async () => {
  const { seller, product, offer, sale, lesson, bonus, link } = await soldOffer();
  const owner = { sellerId: seller.id, productId: product.id };
  const unsold = await makeOffer(product, { contentItemIds: [bonus.id] });
  const refused = { kind: "conflict", message: expect.stringContaining(`da oferta "${unsold.name}"`) };
  await removeItem(seller.id, link);
  await expect(removeItem(seller.id, lesson.id)).rejects.toMatchObject({ kind: "conflict" });
  await expect(removeItem(seller.id, bonus.id)).rejects.toMatchObject(refused);
  // Its buyers still have it after it was deleted; one without buyers prevents nothing.
  for (const { id } of [offer, unsold]) await deleteOffer(owner, id);
  await expect(removeItem(seller.id, lesson.id)).rejects.toMatchObject({ kind: "conflict" });
  await removeItem(seller.id, bonus.id);
  expect(await itemsOf(sale)).toEqual(["aula.pdf"]);
});

test("an offer that names removed content only is not saved, unless the product has a link", async () => {
  const { seller, product, lesson, bonus, link } = await soldOffer();
  const owner = { sellerId: seller.id, productId: product.id };
  const id = await createOffer(owner, offerOf([lesson.id, bonus.id]));
  await removeItem(seller.id, bonus.id);
  await expect(updateOffer(owner, id, offerOf([bonus.id]))).rejects.toMatchObject({ kind: "invalid" });
  expect((await findOffer(owner, id)).contentItemIds).toContain(lesson.id);
  await updateOffer(owner, id, offerOf([bonus.id, link]));
  await sql`update products set file_url = 'https://exemplo.com.br/curso' where id = ${product.id}`;
  await updateOffer(owner, id, offerOf([bonus.id]));
});

test("a product loses its link only while none of its offers depends on it", async () => {
  const { seller, product, offer, lesson, link } = await soldOffer();
  const owner = { sellerId: seller.id, productId: product.id };
  await sql`update products set file_url = 'https://exemplo.com.br/curso' where id = ${product.id}`;
  for (const id of [lesson.id, link]) await removeItem(seller.id, id);
  await sql`update products set file_url = null where id = ${product.id}`;
  const activation = setProductActive(seller.id, product.id, true);
  await expect(activation).rejects.toMatchObject({ kind: "invalid", field: "file_url" });
  await setProductActive(seller.id, product.id, false);
  await deleteOffer(owner, offer.id);
  await setProductActive(seller.id, product.id, true);
});

test("a product keeps its link while buyers of a deleted offer have nothing else", async () => {
  const { seller, product, offer, lesson, link } = await soldOffer();
  const { name } = product;
  const save = (file_url: string) =>
    updateProduct(seller.id, product.id, productBody.parse({ name, price: 97, file_url }));
  await save("https://exemplo.com.br/curso");
  for (const id of [lesson.id, link]) await removeItem(seller.id, id);
  await deleteOffer({ sellerId: seller.id, productId: product.id }, offer.id);
  await expect(save("")).rejects.toMatchObject({ kind: "invalid", field: "file_url" });
});

const openLink = async (sale: { id: string }) => {
  const lineId = await lineOf(sale);
  const { searchParams } = new URL(downloadUrl(sale.id, lineId), "http://x");
  return openDownload(sale.id, lineId, searchParams, NOBODY);
};

test("a link that content replaced leads who ordered with a link to the newest one, and nobody else", async () => {
  const { seller, product, sale: without } = await soldOffer();
  const save = (link: string, rows: object = {}) =>
    updateProduct(
      seller.id,
      product.id,
      productBody.parse({ name: product.name, price: 97, file_url: link, ...rows }),
    );
  const [oldLink, newLink] = ["https://exemplo.com.br/antigo", "https://exemplo.com.br/novo"];
  await save(oldLink);
  const sale = await makeSale(product, { status: "completed" });
  await sql`update sale_lines set file_url = ${oldLink} where sale_id = ${sale.id}`;
  const bump = await makeBump(product, { fileUrl: oldLink });
  const bumped = await makeSale(product, { status: "completed" });
  await sql`update sale_lines set kind = 'bump', product_id = null, order_bump_id = ${bump.id}, file_url = ${oldLink}
    where sale_id = ${bumped.id}`;
  const bumpOf = (file_url: string) => ({
    orderBumps: [{ id: bump.id, name: "Apostila", price: 19.9, file_url }],
  });
  const links = async () => [await openLink(sale), await openLink(bumped)];
  expect(await links()).toEqual([oldLink, oldLink]);
  await save(newLink, bumpOf(newLink));
  expect(await links()).toEqual([newLink, newLink]);
  await save("", bumpOf(""));
  expect(await links()).toEqual([newLink, newLink]);
  await expect(openLink(without)).rejects.toMatchObject({ kind: "not-found" });
  await save("", { orderBumps: [] });
  expect(await links()).toEqual([newLink, newLink]);
});

test("the mail of a purchase names what was bought, also of a bump and an upsell that were removed since", async () => {
  const { seller, product, sale } = await soldOffer();
  const [bump, upsell] = [await makeBump(product), await makeUpsell(product)];
  const addLink = async (column: "order_bump_id" | "upsell_id", id: number, name: string) => {
    const [content] =
      await sql`insert into contents ${sql({ seller_id: seller.id, [column]: id })} returning id`;
    await sql`insert into content_items (content_id, seller_id, kind, name, url)
      values (${content!.id}, ${seller.id}, 'link', ${name}, 'https://exemplo.com.br/grupo')`;
  };
  await addLink("order_bump_id", bump.id, "Exercícios");
  await addLink("upsell_id", upsell.id, "Sala da mentoria");
  await sql`insert into sale_lines (sale_id, seller_id, kind, order_bump_id, name, price_cents, position)
    values (${sale.id}, ${seller.id}, 'bump', ${bump.id}, 'Apostila', 1990, 1)`;
  const accepted = await makeSale(product, { status: "completed", parentSaleId: sale.id });
  await sql`update sale_lines set kind = 'offer', product_id = null, upsell_id = ${upsell.id} where sale_id = ${accepted.id}`;
  const named = async (saleId: string) => {
    const { mail } = await renderMail({
      kind: "purchase",
      saleId,
      recipient: "ana@exemplo.com.br",
      data: { paidAt: new Date().toISOString() },
    });
    const names = ["aula.pdf", "bônus.pdf", "Grupo", "Exercícios", "Sala da mentoria"];
    return names.filter((name) => mail.html.includes(name));
  };
  const all = async () => [await named(sale.id), await named(accepted.id)];
  const bought = [["aula.pdf", "Grupo", "Exercícios"], ["Sala da mentoria"]];
  expect(await all()).toEqual(bought);
  await db.transaction(async (tx) => {
    await saveBumps(tx, { sellerId: seller.id, productId: product.id }, []);
    await saveUpsells(tx, { sellerId: seller.id, productId: product.id }, []);
  });
  expect(await all()).toEqual(bought);
});
