import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { findPurchaseLines } from "#app/domain/access/find-purchase-lines.server.ts";
import { reportMissingFile } from "#app/domain/access/report-missing-file.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import { duplicateProduct } from "#app/domain/catalog/duplicate-product.server.ts";
import { productBody } from "#app/domain/catalog/product-form.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import { newItemBody } from "#app/domain/content/content-form.server.ts";
import { findContent, findItem } from "#app/domain/content/find-item.server.ts";
import { listContent, type OwnContent } from "#app/domain/content/list-content.server.ts";
import { type ContentOwner, ownerKey, readOwner } from "#app/domain/content/lock-own-content.server.ts";
import { moveItem, orderItems } from "#app/domain/content/order-items.server.ts";
import { receivePart } from "#app/domain/content/receive-part.server.ts";
import { removeItem } from "#app/domain/content/remove-item.server.ts";
import { addItem, changeItem } from "#app/domain/content/save-item.server.ts";
import { beginUpload, cancelUpload } from "#app/domain/content/upload.server.ts";
import { itemVersion, orderVersion } from "#app/domain/content/version.server.ts";
import { STAMP_FAILURE_TEXTS } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { paths } from "#app/kit/paths.ts";
import { log } from "#app/platform/log.server.ts";
import * as contentPage from "#app/routes/seller/content/content.tsx";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import {
  makeBump,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
  signedIn,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";

const URL_OF_GROUP = "https://exemplo.com.br/grupo";
const NOT_FOUND = { kind: "not-found" };
const FULL = { kind: "conflict", message: "No máximo 50 itens" };

/** A product, with functions that change the content of it or of its bumps and upsells. */
async function shop(fields: { fileUrl?: null } = {}) {
  const seller = await makeSeller();
  const product = await makeProduct(seller, fields);
  const own = { kind: "product", id: product.id } as ContentOwner;
  const add = (name: string, owner = own) =>
    addItem(seller.id, product.id, owner, { kind: "link", name, url: URL_OF_GROUP });
  const begin = (name: string, { owner = own, replacedItemId = null as string | null } = {}) =>
    beginUpload(seller.id, { productId: product.id, owner, name, size: 8, replacedItemId });
  async function* bytes(text: string) {
    yield new Uint8Array(Buffer.from(text));
  }
  const finish = (id: string, text: string) =>
    receivePart(seller.id, id, { offset: 0, length: 8 }, () => bytes(text));
  /** Uploads a PDF of eight bytes, or another file. @returns the file's id */
  const send = async (name: string, replacedItemId: string | null = null, text = "%PDF-1.7") => {
    const id = await begin(name, { replacedItemId });
    await finish(id, text);
    return id;
  };
  const itemOf = async (fileId: string) => {
    const [item] = await sql<{ id: string }[]>`select id from content_items where file_id = ${fileId}`;
    return item!.id;
  };
  const items = async () => (await listContent(seller.id, product.id))[0]!.items;
  const names = async () => (await items()).map(({ name }) => name);
  return { seller, product, add, begin, finish, send, itemOf, items, names };
}

test("a product's content comes first, then that of its bumps and upsells, each with unfinished uploads", async () => {
  const { seller, product, add, begin, send } = await shop();
  const bump = await makeBump(product, { deactivatedAt: new Date() });
  const upsell = await makeUpsell(product);
  const link = await add("Grupo");
  await send("apostila.pdf");
  await begin("meia.pdf", { owner: { kind: "bump", id: bump.id } });
  const contents = await listContent(seller.id, product.id);
  const shown = contents.map(({ key, active, items, pending }) => ({
    ...{ key, active },
    ...{ items: items.map(({ name }) => name), pending: pending.map(({ name }) => name) },
  }));
  expect(shown).toEqual([
    { key: "product", active: true, items: ["Grupo", "apostila.pdf"], pending: [] },
    { key: `bump-${bump.id}`, active: false, items: [], pending: ["meia.pdf"] },
    { key: `offer-${upsell.id}`, active: true, items: [], pending: [] },
  ]);
  expect(await findContent(seller.id, product.id, `bump-${bump.id}`)).toMatchObject({ name: bump.name });
  await expect(findContent(seller.id, product.id, "bump-1")).rejects.toMatchObject(NOT_FOUND);
  expect(await findItem(seller.id, product.id, link)).toMatchObject({ name: "Grupo", url: URL_OF_GROUP });
});

test("an owner is named by its key, and by no other text", async () => {
  const removed = "removed-0199b6e5-1a2b-7c3d-8e4f-5a6b7c8d9e0f";
  for (const key of ["product", "bump-1002", "offer-1003", removed])
    expect(ownerKey(readOwner(7, key))).toBe(key);
  expect(readOwner(7, "")).toEqual({ kind: "product", id: 7 });
  for (const key of ["bump", "bump-", "bump-1x", "product-7", "upsell-1", "removed-1", `${removed}0`])
    expect(() => readOwner(7, key), key).toThrow("Não encontrado");
  const { seller, product, add } = await shop();
  const bump = await makeBump(await makeProduct(seller));
  await expect(add("Grupo", { kind: "bump", id: bump.id })).rejects.toMatchObject(NOT_FOUND);
  await expect(add("Grupo", { kind: "product", id: product.id + 1 })).rejects.toMatchObject(NOT_FOUND);
});

test("an item's texts have a greatest length, beyond which they are refused at their field", () => {
  const limits = { name: 150, html: 20_000, for: 44 };
  const fieldsOf = (length: number) => ({
    kind: "text",
    ...Object.fromEntries(Object.keys(limits).map((field) => [field, "x".repeat(length)])),
  });
  for (const [field, most] of Object.entries(limits)) {
    const refused = (length: number) =>
      newItemBody
        .safeParse({ ...fieldsOf(1), [field]: "x".repeat(length) })
        .error?.issues.map(({ path }) => path[0]);
    expect(refused(most), field).toBeUndefined();
    expect(refused(most + 1), field).toEqual([field]);
  }
});

test("a file tells why it cannot be stamped, not what became of a buyer's copy", async () => {
  const { seller, product, send, items } = await shop();
  const file = await send("apostila.pdf");
  const sale = await makeSale(product, { status: "completed" });
  await sql`insert into stamped_copies (seller_id, file_id, sale_id, text_key, failure)
    values (${seller.id}, ${file}, ${sale.id}, 'x', 'broken')`;
  const stored = { size: 8, contentType: "application/pdf" };
  expect(await items()).toMatchObject([
    { stamp: { on: false, problem: null }, file: { ...stored, missing: false } },
  ]);
  await sql`insert into stamped_copies (seller_id, file_id, failure) values (${seller.id}, ${file}, 'locked')`;
  await sql`update content_items set stamped_since = now() where file_id = ${file}`;
  await sql`update files set missing_at = now() where id = ${file}`;
  expect(await items()).toMatchObject([
    { stamp: { on: true, problem: STAMP_FAILURE_TEXTS.locked }, file: { ...stored, missing: true } },
  ]);
});

test("items move up and down by one, and stay at the ends", async () => {
  const { seller, add, items, names } = await shop();
  const [a, b, c] = [await add("A"), await add("B"), await add("C")];
  const old = orderVersion(await items());
  await moveItem(seller.id, b, -1, old);
  expect(await names()).toEqual(["B", "A", "C"]);
  await moveItem(seller.id, b, -1);
  await moveItem(seller.id, c, 1);
  expect(await names()).toEqual(["B", "A", "C"]);
  await moveItem(seller.id, a, 1);
  expect(await names()).toEqual(["B", "C", "A"]);
  await expect(moveItem(seller.id, a, -1, old)).rejects.toMatchObject({ kind: "conflict", code: "stale" });
  await expect(moveItem((await makeSeller()).id, a, -1)).rejects.toMatchObject(NOT_FOUND);
  expect(await names()).toEqual(["B", "C", "A"]);
});

test("an order names all items of a content, each once", async () => {
  const { seller, product, add, names } = await shop();
  const bump = await makeBump(product);
  const [a, b, c] = [await add("A"), await add("B"), await add("C")];
  const other = await add("Do bump", { kind: "bump", id: bump.id });
  const order = (ids: string[]) =>
    orderItems(seller.id, { productId: product.id, owner: { kind: "product", id: product.id } }, ids);
  for (const ids of [
    [a, b],
    [a, b, b],
    [a, b, other],
    [a, b, c, other],
  ])
    await expect(order(ids)).rejects.toMatchObject({ kind: "invalid", field: "items" });
  await order([c, a, b]);
  expect(await names()).toEqual(["C", "A", "B"]);
});

test("the last item stays where buyers of a product would be left with nothing", async () => {
  const bare = await shop({ fileUrl: null });
  const [a, b] = [await bare.add("A"), await bare.add("B")];
  await removeItem(bare.seller.id, a);
  await expect(removeItem(bare.seller.id, b)).rejects.toMatchObject({ kind: "conflict" });
  expect(await bare.names()).toEqual(["B"]);
  const bump = await makeBump(bare.product);
  await removeItem(bare.seller.id, await bare.add("Do bump", { kind: "bump", id: bump.id }));
  const linked = await shop();
  await removeItem(linked.seller.id, await linked.add("A"));
  expect(await linked.names()).toEqual([]);
});

test.each(["bump", "offer"] as const)(
  "the last item of a %s stays once it was ordered without a link",
  async (kind) => {
    const { seller, product, add } = await shop();
    const unlinked = { fileUrl: null };
    const sellable =
      kind === "bump" ? await makeBump(product, unlinked) : await makeUpsell(product, unlinked);
    const owner = { kind, id: sellable.id };
    const sale = await makeSale(product, { status: "completed" });
    const column = kind === "bump" ? "order_bump_id" : "upsell_id";
    const line = { sale_id: sale.id, seller_id: seller.id, kind, [column]: sellable.id, position: 1 };
    await sql`insert into sale_lines ${sql({ ...line, name: "Apostila", price_cents: 1990 })}`;
    const [first, last] = [await add("A", owner), await add("B", owner)];
    await removeItem(seller.id, first);
    const refused = { kind: "conflict", message: expect.stringContaining(`"${sellable.name}"`) };
    await expect(removeItem(seller.id, last)).rejects.toMatchObject(refused);
    await sql`update sale_lines set file_url = ${URL_OF_GROUP} where sale_id = ${sale.id}`;
    await removeItem(seller.id, last);
  },
);

test.each(["product", "bump", "offer"] as const)(
  "a %s that was ordered for its content keeps the link that replaced it, also off sale",
  async (kind) => {
    const { seller, product, add } = await shop();
    const linked = { fileUrl: URL_OF_GROUP };
    const [bump, upsell] = [await makeBump(product, linked), await makeUpsell(product, linked)];
    const ids = { product: product.id, bump: bump.id, offer: upsell.id };
    const columns = { product: "product_id", bump: "order_bump_id", offer: "upsell_id" } as const;
    const sale = await makeSale(product, { status: "completed" });
    await sql`delete from sale_lines where sale_id = ${sale.id}`;
    const line = { sale_id: sale.id, seller_id: seller.id, kind, [columns[kind]]: ids[kind], position: 0 };
    await sql`insert into sale_lines ${sql({ ...line, name: "Apostila", price_cents: 1990 })}`;
    const without = (removed: string) => {
      const fields = (name: string) => ({ name, price: 10, file_url: name === removed ? "" : URL_OF_GROUP });
      const rows = {
        orderBumps: [{ id: bump.id, ...fields("bump") }],
        upsells: [{ id: upsell.id, ...fields("offer") }],
      };
      return productBody.parse({ ...fields("product"), ...rows, is_active: false });
    };
    const field = { product: "file_url", bump: "orderBumps[0].file_url", offer: "upsells[0].file_url" }[kind];
    const save = updateProduct(seller.id, product.id, without(kind));
    await expect(save).rejects.toMatchObject({ kind: "invalid", field });
    await add("Apostila", { kind, id: ids[kind] });
    await updateProduct(seller.id, product.id, without(kind));
  },
);

test("an item of a product that is being deleted is removed afterwards", async () => {
  const { seller, product, add } = await shop();
  const item = await add("A");
  const removed: Promise<unknown>[] = [];
  // As `deleteProduct` does: the product, and then all that belongs to it.
  const deleting = await holdLock(async (tx) => {
    await tx`select from products where id = ${product.id} for update`;
    removed.push(removeItem(seller.id, item));
    await untilLockedOut();
    await tx`delete from products where id = ${product.id}`;
  });
  await deleting.release();
  await Promise.all(removed);
  expect(await sql`select from content_items where id = ${item}`).toEqual([]);
});

test("items that are moved and ordered at the same time follow one another", async () => {
  const { seller, product, add, names } = await shop();
  const ids = [await add("A"), await add("B"), await add("C")];
  const bump = await makeBump(product);
  const ofBump = { kind: "bump", id: bump.id } as const;
  const itemOfBump = await add("Do bump", ofBump);
  const work: Promise<unknown>[] = [];
  const busy = await holdLock((tx) => tx`select from products where id = ${product.id} for no key update`);
  work.push(moveItem(seller.id, ids[0]!, 1));
  await untilLockedOut();
  work.push(
    orderItems(seller.id, { productId: product.id, owner: { kind: "product", id: product.id } }, ids),
  );
  await untilLockedOut(2);
  work.push(removeItem(seller.id, itemOfBump));
  await untilLockedOut(3);
  expect(await names()).toEqual(["A", "B", "C"]);
  await busy.release();
  await Promise.all(work);
  expect(await names()).toEqual(["A", "B", "C"]);
});

test("an item is removed while the file that replaces its own completes", async () => {
  const { seller, begin, finish, send, itemOf, items } = await shop();
  const replaced = await send("velha.pdf");
  const item = await itemOf(replaced);
  const next = await begin("nova.pdf", { replacedItemId: item });
  const work: Promise<unknown>[] = [];
  const busy = await holdLock(async (tx) => {
    await tx`select from files where id = ${replaced} for update`;
    work.push(finish(next, "%PDF-1.7"));
    await untilLockedOut();
    work.push(removeItem(seller.id, item));
    await untilLockedOut(2);
  });
  await busy.release();
  await Promise.all(work);
  expect(await items()).toEqual([]);
});

test("items are moved while uploads complete, and each has its own position", async () => {
  const { seller, product, add, begin, finish, names } = await shop();
  const ids = [await add("A"), await add("B")];
  const uploads = [await begin("um.pdf"), await begin("dois.pdf")];
  const work: Promise<unknown>[] = [];
  const busy = await holdLock((tx) => tx`select from contents where product_id = ${product.id} for update`);
  for (const id of uploads) work.push(finish(id, "%PDF-1.7"));
  await untilLockedOut(2);
  work.push(moveItem(seller.id, ids[0]!, 1));
  await untilLockedOut(3);
  await busy.release();
  await Promise.all(work);
  expect((await names()).sort()).toEqual(["A", "B", "dois.pdf", "um.pdf"]);
  const positions = await sql`select distinct i.position from content_items i
    inner join contents c on c.id = i.content_id where c.product_id = ${product.id}`;
  expect(positions).toHaveLength(4);
});

test("a change is of one item, of its kind, and of the version that was seen", async () => {
  const { seller, add, items, names } = await shop();
  const [a] = [await add("A"), await add("B")];
  const seen = itemVersion((await items())[0]!);
  await changeItem(seller.id, a, "text", { name: "X", html: "<p>X</p>" });
  expect(await names()).toEqual(["A", "B"]);
  await changeItem(seller.id, a, "link", { name: "C" }, seen);
  expect(await names()).toEqual(["C", "B"]);
  const late = changeItem(seller.id, a, "link", { name: "D" }, seen);
  await expect(late).rejects.toMatchObject({ kind: "conflict", code: "stale" });
});

test("a stamp that is on stays since when it was, until it is switched off", async () => {
  const { seller, send, itemOf } = await shop();
  const file = await send("apostila.pdf");
  const item = await itemOf(file);
  const since = new Date("2026-01-01T00:00:00Z");
  await sql`update content_items set stamped_since = ${since} where id = ${item}`;
  for (const [stamp, expected] of [
    [undefined, since],
    [true, since],
    [false, null],
  ] as const) {
    await changeItem(seller.id, item, "file", {
      name: "Apostila",
      ...(stamp === undefined ? {} : { stamp }),
    });
    const [row] = await sql`select stamped_since from content_items where id = ${item}`;
    expect(row!.stamped_since, String(stamp)).toEqual(expected);
  }
});

test("a content has fifty items, of which a file can still be replaced", async () => {
  const { seller, product, add, begin, send, itemOf } = await shop();
  const item = await itemOf(await send("apostila.pdf"));
  await sql`insert into content_items (seller_id, content_id, kind, name, url)
    select seller_id, content_id, 'link', 'Link ' || n, ${URL_OF_GROUP}
    from content_items, generate_series(1, 48) n where id = ${item}`;
  await add("O quinquagésimo");
  await expect(add("Mais um")).rejects.toMatchObject(FULL);
  await expect(begin("mais.pdf")).rejects.toMatchObject(FULL);
  await begin("nova.pdf", { replacedItemId: item });
  const bump = await makeBump(product);
  await add("Do bump", { kind: "bump", id: bump.id });
  expect((await listContent(seller.id, product.id))[1]!.items).toHaveLength(1);
});

test("uploads that are not whole count, so that no content gets a fifty-first item", async () => {
  const { seller, product, add, begin, finish, send, itemOf, items } = await shop();
  const item = await itemOf(await send("apostila.pdf"));
  await sql`insert into content_items (seller_id, content_id, kind, name, url)
    select seller_id, content_id, 'link', 'Link ' || n, ${URL_OF_GROUP}
    from content_items, generate_series(1, 48) n where id = ${item}`;
  const begun = await begin("aula.mp4");
  const full = { kind: "conflict", message: "No máximo 50 itens, contando os envios que não terminaram" };
  await expect(begin("mais.pdf")).rejects.toMatchObject(full);
  await expect(add("Mais um")).rejects.toMatchObject(full);
  await cancelUpload(seller.id, begun);
  // Of an item that is removed before its new file is whole, the file becomes a new one.
  const replacement = await begin("nova.pdf", { replacedItemId: item });
  const last = await begin("aula.mp4");
  await removeItem(seller.id, item);
  await expect(add("Mais um")).rejects.toMatchObject(full);
  for (const id of [replacement, last]) await finish(id, "%PDF-1.7");
  const ids = (await items()).map(({ id }) => id);
  expect(ids).toHaveLength(50);
  const owner = { kind: "product", id: product.id } as const;
  await orderItems(seller.id, { productId: product.id, owner }, ids.toReversed());
});

test("a file replaces that of an item of the same content, or becomes a new one where that was removed", async () => {
  const { seller, product, add, begin, finish, send, itemOf, items } = await shop();
  const bump = await makeBump(product);
  const owner = { kind: "bump", id: bump.id } as const;
  const file = await itemOf(await send("velha.pdf"));
  for (const replacedItemId of [await add("Grupo"), await add("Do bump", owner)])
    await expect(begin("x.pdf", { replacedItemId })).rejects.toMatchObject(NOT_FOUND);
  await expect(begin("x.pdf", { owner, replacedItemId: file })).rejects.toMatchObject(NOT_FOUND);
  await send("nova.pdf", file);
  expect(await items()).toMatchObject([
    { id: file, name: "velha.pdf", file: { name: "nova.pdf" } },
    { name: "Grupo", file: null },
  ]);
  const late = await begin("tarde.pdf", { replacedItemId: file });
  await removeItem(seller.id, file);
  await finish(late, "%PDF-1.7");
  expect(await items()).toMatchObject([
    { name: "Grupo" },
    { name: "tarde.pdf", file: { name: "tarde.pdf" } },
  ]);
});

test("only a PDF that replaces a stamped one is tried with a stamp", async () => {
  const { send, itemOf } = await shop();
  const item = await itemOf(await send("velha.pdf"));
  const tried = async (id: string) =>
    (await sql`select id from stamped_copies where file_id = ${id} and sale_id is null`).length;
  expect(await tried(await send("nova.pdf", item))).toBe(0);
  await sql`update content_items set stamped_since = now() where id = ${item}`;
  expect(await tried(await send("mais-nova.pdf", item))).toBe(1);
  expect(await tried(await send("nota.txt", item, "um texto"))).toBe(0);
});

const missingFileMails = async (sellerId: string) =>
  opened(
    await sql`select * from ${mailsWithTexts()} where kind = 'missing-file' and seller_id = ${sellerId} order by created_at`,
  ).map(({ payload }) => payload.html.match(/(Envie-o de novo|Não há mais onde)[^.]*/)![0]);

test("the seller of a missing file reads where to send it again, also once it was replaced in one of the places", async () => {
  const { seller, product, send, itemOf } = await shop();
  const file = await send("aula.pdf");
  const original = await itemOf(file);
  const copy = await duplicateProduct(seller.id, product.id);
  await makeSale({ ...product, id: copy.id }, { status: "completed" });
  for (let each = 0; each < 2; each++) await reportMissingFile(file);
  await send("aula 2.pdf", original);
  const [{ items }] = (await listContent(seller.id, copy.id)) as [OwnContent];
  expect(items.map((item) => item.file?.missing)).toEqual([true]);
  for (let each = 0; each < 2; each++) await reportMissingFile(file);
  await deleteProduct(seller.id, copy.id);
  const reportAgain = async () => {
    await sql`update files set missing_at = null where id = ${file}`;
    await reportMissingFile(file);
  };
  await reportAgain();
  await sql`delete from content_items where file_id = ${file}`;
  await reportAgain();
  const [both, one, deleted, none, ...others] = await missingFileMails(seller.id);
  for (const name of [product.name, copy.name]) expect(both).toContain(`<strong>${name}</strong>`);
  expect(one).toBe(
    `Envie-o de novo no conteúdo de <strong>${copy.name}</strong>: quem já comprou recebe o arquivo novo`,
  );
  expect(deleted).toBe(
    `Envie-o de novo no conteúdo de <strong>${copy.name}</strong> (apagado: o conteúdo abre na página de cada venda dele): quem já comprou recebe o arquivo novo`,
  );
  expect(none).toContain("Não há mais onde enviá-lo de novo");
  expect(others).toEqual([]);
});

test("a missing file of a bump or an upsell is sent again in the content of its own product", async () => {
  const { seller, product, begin, finish } = await shop();
  const other = await makeProduct(seller, { name: "Outro curso" });
  const kinds = [
    ["bump", makeBump],
    ["offer", makeUpsell],
  ] as const;
  for (const [kind, make] of kinds) {
    await make(other);
    const file = await begin("extra.pdf", { owner: { kind, id: (await make(product)).id } });
    await finish(file, "%PDF-1.7");
    await reportMissingFile(file);
  }
  const text = `Envie-o de novo no conteúdo de <strong>${product.name}</strong>: quem já comprou recebe o arquivo novo`;
  expect(await missingFileMails(seller.id)).toEqual([text, text]);
});

test("the content of a deleted product that was sold can be mended for its buyers", async () => {
  const { seller, product, add, send, itemOf, names } = await shop();
  const item = await itemOf(await send("aula.pdf"));
  await makeSale(product, { status: "completed" });
  await deleteProduct(seller.id, product.id);
  await send("aula corrigida.pdf", item);
  await add("Grupo");
  expect(await names()).toEqual(["aula.pdf", "Grupo"]);
  const headers = await signedIn(seller);
  const params = { productId: String(product.id) };
  const loaded = await call(contentPage, paths.productContent(product.id), { params, headers });
  expect(await loaded.json()).toMatchObject({ active: false, isDeleted: true, missing: [] });
  await expect(listContent((await makeSeller()).id, product.id)).rejects.toMatchObject(NOT_FOUND);
});

test("a product's content page says where an offer leaves out what is added, and that of a bump does not", async () => {
  const { seller, product, send, itemOf } = await shop();
  const chosen = [await itemOf(await send("apostila.pdf"))];
  const bump = await makeBump(product);
  const headers = await signedIn(seller);
  const params = { productId: String(product.id) };
  const isChosen = async (key?: string) =>
    (await (await call(contentPage, paths.productContent(product.id, key), { params, headers })).json())
      .isChosenByOffers;
  await makeOffer(product);
  await makeOffer(await makeProduct(seller), { contentItemIds: chosen });
  expect(await isChosen()).toBe(false);
  await makeOffer(product, { contentItemIds: chosen, archivedAt: new Date(), slug: null });
  expect([await isChosen(), await isChosen(`bump-${bump.id}`)]).toEqual([true, false]);
});

test.each(["bump", "offer"] as const)(
  "the content of a %s that was sold and removed can be mended for its buyers, in that of its product",
  async (kind) => {
    const { seller, product, add, begin, finish } = await shop();
    const other = await makeProduct(seller);
    const unlinked = { fileUrl: null };
    const sold = kind === "bump" ? await makeBump(product, unlinked) : await makeUpsell(product, unlinked);
    const unsold = await makeBump(product);
    await add("De quem ninguém comprou", { kind: "bump", id: unsold.id });
    const file = await begin("aula.pdf", { owner: { kind, id: sold.id } });
    await finish(file, "%PDF-1.7");
    const sale = await makeSale(product, { status: "completed" });
    const column = kind === "bump" ? "order_bump_id" : "upsell_id";
    const line = { sale_id: sale.id, seller_id: seller.id, kind, [column]: sold.id, position: 1 };
    await sql`insert into sale_lines ${sql({ ...line, name: "Apostila", price_cents: 1990 })}`;
    const kept = { name: product.name, price: 97, file_url: URL_OF_GROUP };
    await updateProduct(seller.id, product.id, productBody.parse({ ...kept, orderBumps: [], upsells: [] }));

    const [, removed, ...others] = await listContent(seller.id, product.id);
    expect(removed).toMatchObject({ name: "Apostila", active: false, items: [{ name: "aula.pdf" }] });
    expect(others).toEqual([]);
    const { owner, key, items } = removed!;
    const link = await add("Grupo", owner);
    const next = await begin("aula corrigida.pdf", { owner, replacedItemId: items[0]!.id });
    await finish(next, "%PDF-1.7");
    const mended = await findContent(seller.id, product.id, key);
    expect(mended.items.map((item) => [item.name, item.file?.name])).toEqual([
      ["aula.pdf", "aula corrigida.pdf"],
      ["Grupo", undefined],
    ]);
    await removeItem(seller.id, link);
    const nothing = {
      kind: "conflict",
      message: expect.stringContaining("Quem já comprou ficaria sem nada"),
    };
    await expect(removeItem(seller.id, items[0]!.id)).rejects.toMatchObject(nothing);
    await reportMissingFile(next);
    expect(await missingFileMails(seller.id)).toEqual([expect.stringContaining(product.name)]);

    const headers = await signedIn(seller);
    const params = { productId: String(product.id) };
    const page = await call(contentPage, paths.productContent(product.id, key), { params, headers });
    expect(await page.json()).toMatchObject({ isDeleted: false, missing: [], content: { owner } });
    for (const [sellerId, productId] of [
      [seller.id, other.id],
      [(await makeSeller()).id, product.id],
    ] as const)
      await expect(
        addItem(sellerId, productId, owner, { kind: "link", name: "x", url: URL_OF_GROUP }),
      ).rejects.toMatchObject(NOT_FOUND);

    // Whoever bought it with a link still has that.
    await sql`update sale_lines set file_url = ${URL_OF_GROUP} where sale_id = ${sale.id}`;
    await removeItem(seller.id, items[0]!.id);
    expect((await listContent(seller.id, product.id)).flatMap((content) => content.items)).toEqual([]);
  },
);

test.each(["bump", "offer"] as const)(
  "a %s that was sold with a link alone and removed shows it, and its buyers can be given more",
  async (kind) => {
    const { seller, product, add } = await shop();
    const sold = kind === "bump" ? await makeBump(product) : await makeUpsell(product);
    const unpaid = await makeBump(product);
    const column = kind === "bump" ? "order_bump_id" : "upsell_id";
    const link = { seller_id: seller.id, price_cents: 1990, position: 1, file_url: URL_OF_GROUP };
    const sale = await makeSale(product, { status: "completed" });
    const line = { ...link, sale_id: sale.id, kind, [column]: sold.id, name: "Apostila" };
    await sql`insert into sale_lines ${sql(line)}`;
    const order = await makeSale(product);
    const other = { ...link, sale_id: order.id, kind: "bump", order_bump_id: unpaid.id, name: "Não paga" };
    await sql`insert into sale_lines ${sql(other)}`;
    await sql`update order_bumps set file_url = ${URL_OF_GROUP} where seller_id = ${seller.id}`;
    await sql`update upsells set file_url = ${URL_OF_GROUP} where seller_id = ${seller.id}`;
    const kept = { name: product.name, price: 97, file_url: URL_OF_GROUP };
    await updateProduct(seller.id, product.id, productBody.parse({ ...kept, orderBumps: [], upsells: [] }));

    const [, removed, ...others] = await listContent(seller.id, product.id);
    expect(removed).toMatchObject({ name: "Apostila", fileUrl: URL_OF_GROUP, active: false, items: [] });
    expect(others).toEqual([]);
    await add("Grupo novo", removed!.owner);
    const [, bought] = (await findPurchaseLines([sale.id])).get(sale.id)!;
    expect(bought).toMatchObject({ name: "Apostila", hasFile: true, items: [{ name: "Grupo novo" }] });

    // Its code was open when the bump was removed.
    await sql`update sales set status = 'completed', completed_at = now() where id = ${order.id}`;
    const names = (await listContent(seller.id, product.id)).slice(1).map(({ name }) => name);
    expect(names.sort()).toEqual(["Apostila", "Não paga"]);
  },
);

test("of many copies with a missing file its seller reads the first ten names, and operators which file it is", async () => {
  const { seller, product, send } = await shop();
  const file = await send("aula.pdf");
  for (let copy = 19; copy >= 10; copy--) await makeProduct(seller, { name: `Cópia ${copy}` });
  await sql`with made as (insert into contents (seller_id, product_id)
      select seller_id, id from products where seller_id = ${seller.id} and id <> ${product.id} returning *)
    insert into content_items (content_id, seller_id, kind, name, file_id, position)
      select id, seller_id, 'file', 'Aula', ${file}, 0 from made`;
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  await reportMissingFile(file);
  expect(logged).toHaveBeenCalledExactlyOnceWith({ file }, "a file is gone from where it was kept");
  logged.mockRestore();
  const [text] = await missingFileMails(seller.id);
  const named = [...text!.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, name]) => name);
  const names = await sql`select name from products where seller_id = ${seller.id} order by name limit 10`;
  expect(named).toEqual(names.map(({ name }) => name));
});

test("an upload is cancelled with its bytes until it is complete, a file is not, and the page says so", async () => {
  const { seller, product, begin, send, names } = await shop();
  const [half, whole] = [await begin("meia.pdf"), await send("apostila.pdf")];
  const path = join(process.env.DATA_DIR!, "files", "uploads", half);
  expect(existsSync(path)).toBe(true);
  const headers = await signedIn(seller);
  const params = { productId: String(product.id) };
  const cancel = (id: string) =>
    call(contentPage, paths.productContent(product.id), {
      ...{ method: "POST", params, headers },
      body: new URLSearchParams({ intent: "cancel", id }),
    });
  expect((await cancel(half)).status).toBe(302);
  const refused = await cancel(whole);
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { about: "page", message: expect.stringContaining("O arquivo já tinha chegado inteiro") },
  ]);
  expect(existsSync(path)).toBe(false);
  expect(await sql`select id from files where seller_id = ${seller.id}`).toEqual([{ id: whole }]);
  expect(await names()).toEqual(["apostila.pdf"]);
});
