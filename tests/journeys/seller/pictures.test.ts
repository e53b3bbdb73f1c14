import { gzipSync } from "node:zlib";
import type { Page } from "playwright";
import { beforeAll, expect } from "vitest";
import { watchShifts } from "#tests/journeys/buyer/layout-shifts.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { photo, plain } from "#tests/support/files/photos.ts";
import { preparedPicture } from "#tests/support/files/send-file.ts";
import { makeBump, makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { EVERYTHING_ON, makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

const file = (bytes: Uint8Array, name = "foto.jpg") => ({
  name,
  mimeType: "image/jpeg",
  buffer: Buffer.from(bytes),
});
const READY = "Pronta: salve para usar.";

async function dashboard(options: { width: number; javaScript?: boolean; dark?: boolean }) {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { checkoutSlug: `violao-${seller.id.slice(0, 8)}` });
  const headers = await signedIn(seller);
  const page = await openPage({ ...options, url: app.url, cookie: headers.Cookie });
  return { app, seller, product, page, headers };
}

async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("radio", { name: new RegExp(name) });
  await tab.evaluate((radio) => radio.closest("label")!.scrollIntoView({ block: "center" }));
  await tab.check({ force: true });
}

/** Saves until no picture is still being processed. */
async function save(page: Page): Promise<void> {
  const still = page.getByText("ainda está sendo preparada").first();
  await page.getByRole("button", { name: "Atualizar Produto" }).last().click();
  await page
    .getByText(/" atualizado/)
    .first()
    .or(still)
    .first()
    .waitFor();
  if (await still.isVisible()) await save(page);
}

/** Whether the pictures of a page were loaded from us, and how. */
const rendered = (page: Page) =>
  page.$$eval("picture > img", (images) =>
    (images as HTMLImageElement[])
      .filter((image) => image.complete && image.naturalWidth > 0)
      .map((image) => image.currentSrc),
  );

/** The one of a picture's two fields that sends files: without a script that is the visible one. */
const upload = (page: Page, name: string) => page.getByLabel(`Enviar imagem: ${name}`).first();

for (const { width, javaScript } of oneWay(true)) {
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;

  longTest(`a seller chooses pictures where they belong, and buyers see them, ${how}`, async () => {
    const { product, page } = await dashboard({ width, javaScript });
    // Of one colour and few points it takes a moment to prepare, and a photo ten seconds.
    const picture = await plain(640, 480);
    const shot = (name: string) => savePicture(page, `${name}-${width}-${javaScript ? "js" : "plain"}`);
    await page.goto(`/products/${product.id}/edit`);
    await waitForHydration(page);
    await openTab(page, "Conteúdo Digital");
    await page
      .getByLabel("Nome do produto")
      .fill("Curso com capa", { force: true })
      .catch(() => {});
    await shot("pictures-empty");
    await upload(page, "Imagem do produto").setInputFiles(file(picture));
    if (javaScript) await page.getByText(READY).first().waitFor();
    await upload(page, "Imagem do banner").setInputFiles(file(picture));
    if (javaScript) await page.getByText(READY).nth(1).waitFor();
    await shot("pictures-chosen");
    if (javaScript) {
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
    }
    if (!javaScript) allowTroubles(/400/);
    await save(page);
    await page.goto(`/products/${product.id}/edit`);
    await waitForHydration(page);
    await openTab(page, "Conteúdo Digital");
    await until(async () => (await rendered(page)).length === 2);
    await expectNoSidewaysScroll(page);
    await shot("pictures-saved");

    const buyer = await openPage({ url: app.url, width, javaScript });
    await buyer.goto(`/checkout/s/${product.checkoutSlug}`);
    await until(async () => (await rendered(buyer)).length >= 2);
    expect((await rendered(buyer)).every((url) => url.endsWith(".avif"))).toBe(true);
    await expectNoSidewaysScroll(buyer);
    await savePicture(buyer, `pictures-checkout-${width}-${javaScript ? "js" : "plain"}`);
  });
}

longTest("a picture is dropped and pasted, is being prepared for as long as it is, and says so", async () => {
  const { page, product } = await dashboard({ width: 1280 });
  await page.goto(`/products/${product.id}/edit`);
  await waitForHydration(page);
  await openTab(page, "Conteúdo Digital");
  const bytes = [...(await plain(640, 640))];
  const give = (how: "drop" | "paste", label: string) =>
    page.getByLabel(label, { exact: true }).evaluate(
      (field, { how, bytes }) => {
        const carried = new DataTransfer();
        carried.items.add(new File([new Uint8Array(bytes)], "foto.png", { type: "image/png" }));
        const event =
          how === "drop"
            ? new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: carried })
            : new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: carried });
        field.dispatchEvent(event);
      },
      { how, bytes },
    );
  await app.worker[0]!.stop();
  const product_ = page.getByLabel("Imagem do produto (opcional)", { exact: true });
  await give("drop", "Imagem do produto (opcional)");
  await page.getByText("Preparando…").waitFor();
  expect(await product_.inputValue()).toBe("");
  await savePicture(page, "pictures-preparing");
  await app.worker[0]!.start();
  await page.getByText(READY).waitFor();
  expect(await product_.inputValue()).toContain("/product-600x600.jpg");
  await give("paste", "Imagem do banner (opcional)");
  await page.getByText(READY).nth(1).waitFor();
  expect(await page.getByLabel("Imagem do banner (opcional)").inputValue()).toContain("/banner-640x160.jpg");
  await page.getByRole("button", { name: "Tirar imagem do banner" }).click();
  expect(await page.getByLabel("Imagem do banner (opcional)").inputValue()).toBe("");
  await save(page);
  const [saved] = await sql`select image_url, banner_image_url from products where id = ${product.id}`;
  expect(saved!.banner_image_url).toBeNull();
  expect(saved!.image_url).toContain("/product-600x600.jpg");
});

longTest("an unusable picture is reported beside its field, and what was typed stays", async () => {
  const { page, product } = await dashboard({ width: 360 });
  await page.goto(`/products/${product.id}/edit`);
  await waitForHydration(page);
  await page.getByLabel("Nome do produto").fill("Curso com foto do iPhone");
  await openTab(page, "Conteúdo Digital");
  const heic = Buffer.from(`\0\0\0\x18ftypheic\0\0\0\0mif1heic${"x".repeat(400)}`, "latin1");
  await upload(page, "Imagem do produto").setInputFiles(file(heic, "IMG_0001.HEIC"));
  await page.getByRole("alert").getByText("HEIC do iPhone").waitFor();
  await expectNoSidewaysScroll(page);
  await savePicture(page, "pictures-heic");
  await expectNoSeriousAxe(page);
  await upload(page, "Imagem do produto").setInputFiles(file(await plain(80, 80)));
  await page.getByText(READY).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await save(page);
  expect(await sql`select name from products where id = ${product.id}`).toEqual([
    { name: "Curso com foto do iPhone" },
  ]);
});

longTest("an uploaded logo shows in the live preview before it is saved", async () => {
  const { page } = await dashboard({ width: 1280 });
  await page.goto("/checkout-customization");
  await waitForHydration(page);
  await page.getByLabel("Enviar imagem: Endereço do logo").setInputFiles(file(await plain(500, 160, 0.5)));
  await page.getByText(READY).waitFor();
  const logo = page.frameLocator("iframe").locator(".brand img");
  await logo.waitFor();
  expect(await logo.getAttribute("src")).toMatch(/\/logo-\d+x\d+\.png$/);
  await savePicture(page, "pictures-logo");
});

longTest(
  "on a phone a checkout's picture weighs at most 30 kB, nothing moves when it comes, and the page stays light",
  async () => {
    const { seller, product, headers } = await dashboard({ width: 1280 });
    const camera = await photo(1600, 1200, true);
    const sent = async (location: "product" | "bump" | "banner" | "logo", picture = camera) =>
      (await preparedPicture({ app, headers }, location, picture)).url!;
    const [imageUrl, bannerUrl, bumpUrl, logoUrl] = [
      await sent("product"),
      // A phone loads the smallest size, which a photo of this width has, too; the larger ones take long to make.
      await sent("banner", await photo(800, 600, true)),
      await sent("bump"),
      await sent("logo"),
    ];
    await sql`update products set image_url = ${imageUrl}, banner_image_url = ${bannerUrl} where id = ${product.id}`;
    for (const name of ["Apostila", "Bases", "Caderno"]) await makeBump(product, { name, imageUrl: bumpUrl });
    await makeCheckoutSettings(seller, { ...EVERYTHING_ON, brand_logo_url: logoUrl });

    const phone = await openPage({ url: app.url, width: 360, dark: true });
    const weights = new Map<string, number>();
    phone.on("response", async (answer) => {
      if (!answer.url().includes("/pictures/")) return;
      weights.set(answer.url(), (await answer.body()).byteLength);
    });
    const shifts = await watchShifts(phone);
    // Each picture arrives after the page without it was painted.
    const held: (() => void)[] = [];
    let isRendered = false;
    await phone.route("**/pictures/**", async (route) => {
      if (!isRendered) await new Promise<void>((resume) => held.push(resume));
      await route.continue();
    });
    await phone.goto(`/checkout/s/${product.checkoutSlug}`, { waitUntil: "commit" });
    await until(async () => held.length > 0);
    await phone.evaluate(
      () => new Promise((rendered) => requestAnimationFrame(() => requestAnimationFrame(rendered))),
    );
    isRendered = true;
    for (const resume of held) resume();
    await phone.waitForLoadState("networkidle");
    await phone.mouse.wheel(0, 3000);
    await until(async () => (await rendered(phone)).length >= 7);
    // A picture replaces another one, and its name is beside it.
    const [picture, name] = await Promise.all(
      [".bump img", ".bump .name"].map((part) => phone.locator(part).first().boundingBox()),
    );
    // It is shown whole, so its width depends on its shape.
    const isSmall = picture!.width >= 40 && picture!.width <= 64;
    expect([isSmall, name!.width > 100, name!.x > picture!.x + picture!.width]).toEqual([true, true, true]);
    expect(await shifts()).toEqual([]);
    expect([...weights.keys()].every((url) => url.endsWith(".avif"))).toBe(true);
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    expect(total, JSON.stringify([...weights])).toBeLessThanOrEqual(30_000);
    await savePicture(phone, "pictures-phone-dark");

    const html = await (await app.fetch(`/checkout/s/${product.checkoutSlug}`)).text();
    expect(gzipSync(html).length).toBeLessThanOrEqual(14_000);
  },
);
