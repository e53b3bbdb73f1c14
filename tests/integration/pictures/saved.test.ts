import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { cleanFiles } from "#app/domain/content/clean-files.server.ts";
import { resolvePictures } from "#app/server/forms/resolve-pictures.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { describeAnswer } from "#tests/support/clients/page-forms.ts";
import { sql } from "#tests/support/database.ts";
import { plain } from "#tests/support/files/photos.ts";
import { preparedPicture } from "#tests/support/files/send-file.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { columnName, schemaTables } from "#tests/support/rows/schema-tables.ts";
import { longTest } from "#tests/support/run/ways.ts";

let app: App;
let sides = 20;
beforeAll(async () => {
  app = await startApp({ keepWorker: true });
});

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  return { app, seller, product, headers: await signedIn(seller) };
}
type Shop = Awaited<ReturnType<typeof shop>>;

/** An id of no picture. */
async function newPicture(who: Shop, location: "product" | "bump" | "offer" | "banner" | "logo" = "product") {
  sides += 1;
  return (await preparedPicture(who, location, await plain(sides, sides))).url!;
}

function send({ headers }: Shop, method: string, path: string, body: object) {
  return app.fetch(path, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
const fields = ({ product }: Shop) => ({ name: product.name, price: 97, file_url: product.fileUrl });
const save = (who: Shop, more: object) =>
  send(who, "PUT", `/api/products/${who.product.id}`, { ...fields(who), ...more });

const cleaned = () => cleanFiles.handle({}, { number: 1, last: false });
const age = (days: number) =>
  sql`update pictures set touched_at = touched_at - make_interval(days => ${days})`;
const statusOf = async (url: string) => (await app.fetch(new URL(url).pathname)).status;

test("a seller's own pictures can be used in every position, and external addresses as before", async () => {
  const who = await shop();
  const [product, banner, bump, upsell, logo] = [
    await newPicture(who),
    await newPicture(who, "banner"),
    await newPicture(who, "bump"),
    await newPicture(who, "offer"),
    await newPicture(who, "logo"),
  ];
  const row = { name: "Cifras", price: 19 };
  const saved = await save(who, {
    image_url: product,
    banner_image_url: banner,
    orderBumps: [{ ...row, image_url: bump }],
    upsells: [{ ...row, file_url: "https://arquivos.exemplo.com.br/x", image_url: upsell }],
  });
  expect(saved.status, describeAnswer({ status: saved.status, html: await saved.clone().text() })).toBe(200);
  expect(await saved.json()).toMatchObject({ image_url: product, banner_image_url: banner });
  for (const [path, field] of [
    ["/api/checkout/customization", "brand_logo_url"],
    ["/api/thank-you/customization", "logo_url"],
  ] as const) {
    const answer = await send(who, "POST", path, { [field]: logo });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ [field]: logo })]);
  }
  const elsewhere = "https://imagens.exemplo.com.br/pictures/capa.png";
  expect((await save(who, { image_url: elsewhere })).status).toBe(200);
});

test("another seller's picture, and an address of ours that is none, cannot be used anywhere", async () => {
  const [who, other] = [await shop(), await shop()];
  const strange = await newPicture(other);
  const none = strange.replace(/[0-9a-f]{32}/, "ab".repeat(16));
  const row = { name: "Cifras", price: 19 };
  for (const url of [strange, none]) {
    const attempts = [
      save(who, { image_url: url }),
      save(who, { banner_image_url: url }),
      save(who, { orderBumps: [{ ...row, image_url: url }] }),
      save(who, { upsells: [{ ...row, file_url: "https://arquivos.exemplo.com.br/x", image_url: url }] }),
      send(who, "POST", "/api/products", { ...fields(who), image_url: url }),
      send(who, "POST", "/api/checkout/customization", { brand_logo_url: url }),
      send(who, "POST", "/api/thank-you/customization", { logo_url: url }),
    ];
    const answers = await Promise.all(attempts);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    expect(await answers[2]!.json()).toMatchObject({ field: "orderBumps[0].image_url" });
  }
  const stored = await sql`select image_url from products where seller_id = ${who.seller.id}`;
  expect(stored.map(({ image_url }) => image_url)).toEqual([null]);
});

test("an address of ours of a picture that is not ready, or of a page, is refused as before", async () => {
  const who = await shop();
  for (const path of ["/pictures/x", "/api/pictures", "/logout"])
    expect((await save(who, { image_url: app.url + path })).status, path).toBe(400);
});

test("a replaced picture stays while a page that shows it may be cached, and is then deleted with its bytes", async () => {
  const who = await shop();
  const before = await newPicture(who);
  await save(who, { image_url: before });
  await age(30);
  await cleaned();
  expect(await statusOf(before)).toBe(200);
  const after = await newPicture(who);
  await save(who, { image_url: after });
  await cleaned();
  expect(await statusOf(before)).toBe(200);
  const key = before.split("/").at(-2)!;
  const [pack] = await sql<{ id: string }[]>`select pack_id as id from pictures where key = ${key}`;
  const path = join(process.env.DATA_DIR!, "files", pack!.id.slice(0, 2), pack!.id);
  expect(existsSync(path)).toBe(true);
  await age(9);
  await sql`update files set touched_at = touched_at - interval '9 days'`;
  await cleaned();
  expect([await statusOf(before), await statusOf(after), existsSync(path)]).toEqual([404, 200, false]);
  expect(await sql`select id from files where seller_id = ${who.seller.id}`).toHaveLength(1);
});

test("a picture is refused as a link that would not keep it, at the field", async () => {
  const who = await shop();
  const url = await newPicture(who);
  const row = { name: "Cifras", price: 19, file_url: "https://arquivos.exemplo.com.br/x" };
  for (const [field, body] of Object.entries({
    file_url: { file_url: url },
    redirect_url: { redirect_url: `${url}?v=1#topo` },
    "orderBumps[0].file_url": { orderBumps: [{ ...row, file_url: url }] },
    "upsells[0].file_url": { upsells: [{ ...row, file_url: url }] },
    "upsells[0].video_url": { upsells: [{ ...row, video_url: url }] },
  })) {
    for (const answer of [
      await save(who, body),
      await send(who, "POST", "/api/products", { ...fields(who), ...body }),
    ])
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ field })]);
  }
  expect((await save(who, { banner_link_url: url })).status).toBe(200);
});

/** Fields in which a picture is refused, and copies of them. */
const WITHOUT_PICTURES = [
  ...["products.file_url", "products.last_file_url", "products.redirect_url"],
  ...["order_bumps.file_url", "order_bumps.last_file_url", "sale_lines.file_url"],
  ...["upsells.file_url", "upsells.last_file_url", "upsells.video_url"],
  // Of the account at the identity provider.
  "sellers.picture_url",
];

/** Columns of a seller's shop that may contain the address of a picture. */
const pictureColumns = schemaTables
  .flatMap(({ name, columns }) => columns.map((column) => `${name}.${columnName(column.name)}`))
  .filter((column) => /html|_url$|\.url$|customizations\.settings/.test(column))
  .filter((column) => !WITHOUT_PICTURES.includes(column));

longTest("cleaning finds a picture wherever it stands", async () => {
  const who = await shop();
  const { seller, product } = who;
  const urls = {
    "products.image_url": await newPicture(who),
    "products.banner_image_url": await newPicture(who, "banner"),
    "products.banner_link_url": await newPicture(who, "banner"),
    "order_bumps.image_url": await newPicture(who, "bump"),
    "upsells.image_url": await newPicture(who, "offer"),
    "checkout_customizations.settings": await newPicture(who, "logo"),
    "thank_you_customizations.settings": await newPicture(who, "logo"),
    "content_items.html": await newPicture(who),
    "content_items.url": await newPicture(who),
    "email_templates.html_content": await newPicture(who),
  };
  // A new column with pictures belongs into this list, and into what the cleaning looks through.
  expect(Object.keys(urls).sort()).toEqual(pictureColumns.sort());
  const more = { header: await newPicture(who), nowhere: await newPicture(who) };
  await sql`update products set image_url = ${urls["products.image_url"]}, banner_image_url = ${urls["products.banner_image_url"]},
    banner_link_url = ${urls["products.banner_link_url"]}, archived_at = now() where id = ${product.id}`;
  await makeBump(product, { imageUrl: urls["order_bumps.image_url"] });
  await makeUpsell(product, { imageUrl: urls["upsells.image_url"] });
  await sql`insert into checkout_customizations (seller_id, settings) values (${seller.id},
    ${{ brand_logo_url: urls["checkout_customizations.settings"], custom_header: `<img src="${more.header}">` } as never})`;
  await sql`insert into thank_you_customizations (seller_id, settings) values (${seller.id},
    ${{ logo_url: urls["thank_you_customizations.settings"] } as never})`;
  await sql`insert into email_templates (seller_id, sender_name, sender_email, subject, html_content)
    values (${seller.id}, 'Loja', 'loja@exemplo.com.br', 'S', ${`<img src="${urls["email_templates.html_content"]}">`})`;
  const [content] =
    await sql`insert into contents (seller_id, product_id) values (${seller.id}, ${product.id}) returning id`;
  await sql`insert into content_items (seller_id, content_id, kind, name, html, url) values
    (${seller.id}, ${content!.id}, 'text', 'Aula', ${`<p><img src="${urls["content_items.html"]}"></p>`}, null),
    (${seller.id}, ${content!.id}, 'link', 'Capa', null, ${urls["content_items.url"]})`;
  await age(30);
  await cleaned();
  const all = { ...urls, ...more };
  const statuses = await Promise.all(Object.values(all).map(statusOf));
  expect(Object.keys(all).filter((_, at) => statuses[at] !== 200)).toEqual(["nowhere"]);
});

test("a picture whose upload was cancelled is failed, for the API and for a form that names it", async () => {
  const who = await shop();
  const announced = { place: "product", name: "foto.jpg", size: 1000 };
  const { id } = (await (await send(who, "POST", "/api/pictures", announced)).json()) as { id: string };
  const shown = async () => (await app.fetch(`/api/pictures/${id}`, { headers: who.headers })).json();
  expect(await shown()).toMatchObject({ state: "sending", message: null });
  const cancelled = await app.fetch(`/api/uploads/${id}`, { method: "DELETE", headers: who.headers });
  expect(await cancelled.json()).toEqual({ success: true, cancelled: true });
  const message = "O envio desta imagem não foi concluído. Envie-a de novo.";
  expect(await shown()).toMatchObject({ state: "failed", message, url: null });
  const form = new FormData();
  form.set("image_url_file", id);
  const request = new Request("http://localhost:3000/products/create", { method: "POST" });
  expect(await resolvePictures(request, who.seller.id, form, new Map())).toEqual({ image_url: [message] });
});

test("a picture that never became ready is forgotten after some days", async () => {
  const who = await shop();
  await preparedPicture(who, "product", new Uint8Array(Buffer.from("nada")));
  await cleaned();
  const left = () => sql`select id from pictures where seller_id = ${who.seller.id}`;
  expect(await left()).toHaveLength(1);
  await age(3);
  await cleaned();
  expect(await left()).toHaveLength(0);
});

test("a duplicated product shows the same picture", async () => {
  const who = await shop();
  const url = await newPicture(who);
  await save(who, { image_url: url });
  const copy = await send(who, "POST", `/api/products/${who.product.id}/duplicate`, {});
  expect(copy.status, describeAnswer({ status: copy.status, html: await copy.clone().text() })).toBeLessThan(
    300,
  );
  const rows = await sql`select image_url from products where seller_id = ${who.seller.id}`;
  expect(rows.map(({ image_url }) => image_url)).toEqual([url, url]);
});
