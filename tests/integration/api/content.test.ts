import { beforeAll, expect, test } from "vitest";
import { type App, startApp } from "#tests/support/app.ts";
import { lockedPdf, pdf } from "#tests/support/files/pdfs.ts";
import { sendFile } from "#tests/support/files/send-file.ts";
import { makeBump, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ keepWorker: true });
});

type Item = {
  id: string;
  version: string;
  name: string;
  url: string | null;
  file: { stamp: boolean } | null;
};
type Content = { for: string; order_version: string; items: Item[] };

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { fileUrl: "https://arquivos.exemplo.com.br/curso.pdf" });
  const bump = await makeBump(product);
  const headers = await signedIn(seller);
  const send = (method: string, path = "", body?: object, more: Record<string, string> = {}) =>
    app.fetch(`/api/products/${product.id}/content${path}`, {
      method,
      headers: { ...headers, "Content-Type": "application/json", ...more },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const contents = async () => (await (await send("GET")).json()) as Content[];
  const added = async (body: object) => (await (await send("POST", "", body)).json()) as Item;
  return { seller, product, bump, client: { app, headers }, send, contents, added };
}
const LINK = { kind: "link", name: "Grupo", url: "https://exemplo.com.br/grupo" };
const TEXT = { kind: "text", name: "Leia", html: "<p>Oi</p>" };

test("adds, changes, orders and removes links and texts of a product and its bump", async () => {
  const { send, contents, added, bump } = await shop();
  const link = await added(LINK);
  const text = await added(TEXT);
  await added({ ...LINK, name: "Do bump", for: `bump-${bump.id}` });
  const [ofProduct, ofBump] = await contents();
  expect(ofProduct!.items).toMatchObject([
    { name: "Grupo", url: LINK.url },
    { name: "Leia", html: "<p>Oi</p>" },
  ]);
  expect(ofBump!.items).toMatchObject([{ name: "Do bump" }]);

  const renamed = await send("PUT", `/${link.id}`, { name: "Turma" });
  expect(await renamed.json()).toMatchObject({ name: "Turma", url: LINK.url });
  const items = [text.id, link.id];
  const ordered = await send("PUT", "", { items, version: ofProduct!.order_version });
  expect(((await ordered.json()) as Content).items.map(({ id }) => id)).toEqual(items);
  expect((await send("DELETE", `/${text.id}`)).status).toBe(200);
  expect((await send("GET", `/${text.id}`)).status).toBe(404);
  expect((await contents())[0]!.items.map(({ id }) => id)).toEqual([link.id]);
});

test.each([
  [{ ...LINK, url: "javascript:alert(1)" }, "url"],
  [{ ...LINK, url: "" }, "url"],
  [{ ...LINK, name: " " }, "name"],
  [{ ...TEXT, html: "" }, "html"],
  [{ ...LINK, kind: "file" }, "kind"],
])("refuses what the form would refuse (%#)", async (body, field) => {
  const { send } = await shop();
  const answer = await send("POST", "", body);
  expect([answer.status, ((await answer.json()) as { field: string }).field]).toEqual([400, field]);
});

test("refuses to replace content or an order that was changed since it was read", async () => {
  const { send, contents, added } = await shop();
  const link = await added(LINK);
  const [{ order_version: order }] = (await contents()) as [Content];
  await send("PUT", `/${link.id}`, { name: "Outro" });
  await added(TEXT);
  expect((await send("PUT", `/${link.id}`, { name: "Meu", version: link.version })).status).toBe(409);
  expect(
    (await send("PUT", `/${link.id}`, { name: "Meu" }, { "If-Match": `"${link.version}"` })).status,
  ).toBe(412);
  expect((await send("PUT", "", { items: [link.id], version: order })).status).toBe(409);
  expect((await send("PUT", "", { items: [link.id] })).status).toBe(400);
});

test("a PDF's stamp is switched by the API, and refused where it cannot be", async () => {
  const { send, contents, client, product } = await shop();
  await sendFile(client, { product_id: product.id, name: "boa.pdf" }, await pdf(1));
  await sendFile(client, { product_id: product.id, name: "trancada.pdf" }, lockedPdf());
  const [good, locked] = (await contents())[0]!.items as [Item, Item];
  const on = await send("PUT", `/${good.id}`, { name: "Boa", stamp: true });
  expect(await on.json()).toMatchObject({ file: { stamp: true, stamp_problem: null } });
  expect(await (await send("PUT", `/${good.id}`, { name: "Ótima" })).json()).toMatchObject({
    file: { stamp: true },
  });
  const refused = await send("PUT", `/${locked.id}`, { name: "Trancada", stamp: true });
  expect([refused.status, await refused.json()]).toMatchObject([400, { field: "stamp" }]);
  expect((await contents())[0]!.items[1]!.file!.stamp).toBe(false);
});
