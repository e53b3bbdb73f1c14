import { beforeAll, expect, test } from "vitest";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { describeAnswer, formsOf } from "#tests/support/clients/page-forms.ts";
import { sql } from "#tests/support/database.ts";
import { photo, plain } from "#tests/support/files/photos.ts";
import { sendPicture } from "#tests/support/files/send-file.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ keepWorker: true });
});

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  return { app, seller, product, headers: await signedIn(seller) };
}
type Shop = Awaited<ReturnType<typeof shop>>;
type Sent = { name: string; bytes: Uint8Array<ArrayBuffer>; called?: string };

const STILL = "ainda está sendo preparada";

/** The same, resubmitted until a busy machine has processed the pictures. */
async function postUntilReady(
  who: Shop,
  page: string,
  fields: Record<string, string>,
  files: Sent[],
): Promise<{ status: number; html: string }> {
  const answer = await post(who, page, fields, files);
  if (!answer.html.includes(STILL)) return answer;
  const stored = [...answer.html.matchAll(/name="([^"]*_file)"[^>]*value="([0-9a-f-]{36})"/g)];
  const ids = Object.fromEntries(stored.map(([, name, id]) => [name!, id!]));
  const settled = [...answer.html.matchAll(/name="([^"]*_url)"[^>]*value="([^"]*\/pictures\/[^"]*)"/g)];
  const ready = Object.fromEntries(settled.map(([, name, url]) => [name!, url!]));
  return postUntilReady(who, page, { ...fields, ...ready, ...ids }, []);
}

/** What a browser without a script sends: the form as shown, with some changed fields, and files. */
async function post(who: Shop, page: string, fields: Record<string, string>, files: Sent[] = []) {
  const html = await (await app.fetch(page, { headers: who.headers })).text();
  const shown = formsOf(page, html).find((form) =>
    form.fields.some(([name]) => name === "tab" || /name/.test(name)),
  );
  const body = new FormData();
  for (const [name, value] of shown?.fields ?? [])
    if (!(name in fields) && !["over", "__intent__"].includes(name)) body.append(name, value);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  for (const { name, bytes, called = "foto.jpg" } of files) body.set(name, new Blob([bytes]), called);
  const answer = await app.fetch(page, { method: "POST", headers: who.headers, body });
  return { status: answer.status, html: await answer.text() };
}

const pageOf = ({ product }: Shop) => `/products/${product.id}/edit`;
const typed = {
  name: "Curso novo",
  price: "97,00",
  file_url: "https://exemplo.com.br/x",
  image_url: "",
  banner_image_url: "",
  discount_percentage: "",
  checkout_slug: "",
};
const saved = async ({ product }: Shop) =>
  (await sql`select name, image_url, banner_image_url from products where id = ${product.id}`)[0]!;

test("pictures sent with a form are processed, and used when it is saved", async () => {
  const who = await shop();
  const files = [
    { name: "image_url_file", bytes: await plain(100, 80) },
    { name: "banner_image_url_file", bytes: await plain(160, 40), called: "faixa.png" },
  ];
  const answer = await postUntilReady(who, pageOf(who), typed, files);
  expect(answer.status, describeAnswer(answer)).toBe(302);
  const { name, image_url, banner_image_url } = await saved(who);
  expect(name).toBe("Curso novo");
  for (const [url, shape] of [
    [image_url, "product-80x80.jpg"],
    [banner_image_url, "banner-160x40.jpg"],
  ]) {
    expect(url).toMatch(new RegExp(`/pictures/[0-9a-f]{32}/${shape}$`));
    expect((await app.fetch(new URL(url).pathname)).status).toBe(200);
  }
});

test("a new product, a row of it and a page's logo accept pictures, too", async () => {
  const who = await shop();
  const bytes = await plain(100, 100);
  const row = {
    "orderBumps[0].name": "Cifras",
    "orderBumps[0].price": "19,00",
    "orderBumps[0].image_url": "",
  };
  const created = await postUntilReady(who, "/products/create", { ...typed, checkout_slug: "", ...row }, [
    { name: "image_url_file", bytes },
    { name: "orderBumps[0].image_url_file", bytes },
  ]);
  expect(created.status, describeAnswer(created)).toBe(302);
  const [product] = await sql`select id, image_url from products where seller_id = ${who.seller.id}
    order by id desc limit 1`;
  expect(product!.image_url).toContain("/product-100x100.jpg");
  const [bump] = await sql`select image_url from order_bumps where product_id = ${product!.id}`;
  expect(bump!.image_url).toContain("/bump-100x100.jpg");
  const plainly = Object.entries(CHECKOUT_DEFAULTS).map(([name, value]) => [name, String(value)]);
  const logo = Object.fromEntries(plainly);
  const customised = await postUntilReady(who, "/checkout-customization", logo, [
    { name: "brand_logo_url_file", bytes },
  ]);
  expect(customised.status, describeAnswer(customised)).toBe(302);
  const [settings] =
    await sql`select settings from checkout_customizations where seller_id = ${who.seller.id}`;
  expect(settings!.settings.brand_logo_url).toContain("/logo-100x100.jpg");
});

test.each([
  [
    "a photo nobody can read",
    "foto.heic",
    () => Buffer.from(`\0\0\0\x18ftypheic${"x".repeat(99)}`),
    "HEIC do iPhone",
  ],
  [
    "a broken one",
    "foto.jpg",
    async () => Buffer.from(await photo(300, 300)).subarray(0, 9000),
    "danificada",
  ],
  ["an empty one", "foto.jpg", () => Buffer.alloc(0), "está vazio"],
])("%s returns the form with its message, and all that was typed", async (_, called, make, words) => {
  const who = await shop();
  const file = { name: "image_url_file", bytes: new Uint8Array(await make()), called };
  const answer = await postUntilReady(who, pageOf(who), { ...typed, description: "Nova descrição" }, [file]);
  expect(answer.status).toBe(400);
  expect(answer.html).toContain(words);
  for (const stored of ["Curso novo", "Nova descrição"]) expect(answer.html).toContain(stored);
  expect(await saved(who)).toMatchObject({ name: "Curso de Violão", image_url: null });
});

test("a form that is wrong elsewhere comes back with the picture already in its field", async () => {
  const who = await shop();
  const file = { name: "image_url_file", bytes: await plain(200, 200) };
  const answer = await postUntilReady(who, pageOf(who), { ...typed, price: "nada" }, [file]);
  expect(answer.status).toBe(400);
  const [, address] = /value="([^"]*\/pictures\/[^"]*)"/.exec(answer.html) ?? [];
  expect(address).toContain("product-200x200.jpg");
  expect(await saved(who)).toMatchObject({ image_url: null });
});

longTest(
  "a picture that takes long is told truly, and saving again uses it; nothing unfinished is ever saved",
  async () => {
    const who = await shop();
    await app.worker[0]!.stop();
    const file = { name: "image_url_file", bytes: await plain(210, 210) };
    const waits = await post(who, pageOf(who), typed, [file]);
    expect(waits.status).toBe(400);
    expect(waits.html).toContain(STILL);
    expect(waits.html).toContain("Curso novo");
    expect(await saved(who)).toMatchObject({ name: "Curso de Violão", image_url: null });
    const [, id] = /<input[^>]*name="image_url_file"[^>]*value="([0-9a-f-]{36})"/.exec(waits.html)!;
    await app.worker[0]!.start();
    await until(
      async () => (await sql`select 1 from pictures where id = ${id!} and ready_at is not null`).length > 0,
    );
    const answer = await post(who, pageOf(who), { ...typed, image_url_file: id! });
    expect(answer.status, describeAnswer(answer)).toBe(302);
    expect((await saved(who)).image_url).toContain("product-210x210.jpg");
  },
);

test("another seller's picture, named by its id, is none", async () => {
  const [who, other] = [await shop(), await shop()];
  const id = await sendPicture(other, "product", await plain(220, 220));
  for (const strange of [id, "x", crypto.randomUUID()]) {
    const answer = await post(who, pageOf(who), { ...typed, image_url_file: strange });
    expect([answer.status, answer.html.includes("não existe mais")]).toEqual([400, true]);
  }
  expect((await saved(who)).image_url).toBeNull();
});

test("a file under any other name is left out, as before", async () => {
  const who = await shop();
  const bytes = await plain(100, 100);
  const answer = await postUntilReady(who, pageOf(who), typed, [
    { name: "name_file", bytes },
    { name: "description", bytes },
  ]);
  expect(answer.status, describeAnswer(answer)).toBe(302);
  expect(await sql`select id from pictures where seller_id = ${who.seller.id}`).toEqual([]);
});
