import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { splitBy } from "#app/db/schema/funnel.server.ts";
import { addViews } from "#app/domain/visit-counts/add-views.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  type PageOptions,
  savePicture,
  waitForHydration,
  waitForThanks,
} from "#tests/support/clients/browser.ts";
import { DESKTOP, PHONE } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeCharge,
  makeCoupon,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  signedIn,
} from "#tests/support/make.ts";
import { refresh, seeded, writeMail } from "#tests/support/rows/make-reports.ts";
import { longTest, oneWay, WIDTHS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
let app: App;

beforeAll(async () => {
  app = await sharedApp();
});

async function openShop(name = "Curso de Violão") {
  const seller = await makeSeller();
  await makeGateway(seller);
  const slug = `curso-${seller.id}`;
  const product = await makeProduct(seller, { name, checkoutSlug: slug });
  const open = async (options: PageOptions = {}) =>
    openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie, ...options });
  return { seller, product, path: `/checkout/s/${slug}`, open };
}

async function buy(page: Page): Promise<void> {
  await fillCheckout(page, { email: "ana.lima@gmail.com" });
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await page.waitForURL("**/checkout/pix/**");
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const [transaction] = (await app.sandbox.transactions()).filter((t) => t.qr_code === code);
  await app.sandbox.pay(transaction!.id);
  await waitForThanks(page);
}

/** Views and begun forms in the table. */
async function counted(sellerId: string): Promise<[seen: number, begun: number]> {
  const [row] = await sql<{ seen: number; begun: number }[]>`
    select coalesce(sum(seen), 0)::int as seen, coalesce(sum(begun), 0)::int as begun
    from funnel_views where seller_id = ${sellerId} and split = ${splitBy({ device: true })}`;
  return [row!.seen, row!.begun];
}

function untilCounted(sellerId: string, expected: [seen: number, begun: number]): Promise<unknown> {
  return until(async () => String(await counted(sellerId)) === String(expected), {
    what: `${expected} to be counted`,
  });
}

/** The numbers beside the steps, from the first to the last. */
async function stepsOn(page: Page): Promise<string[]> {
  const steps = page.getByRole("list", { name: "Etapas do funil" }).getByRole("listitem");
  return Promise.all(
    (await steps.all()).map(async (step) => (await step.getByRole("strong").textContent()) ?? ""),
  );
}

test("a phone comes by a campaign, begins the form and pays: the funnel shows each step once", async () => {
  const { seller, product, path, open } = await openShop();
  const phone = await openPage({ url: app.url, width: 360, person: PHONE });
  await phone.goto(`${path}?utm_source=instagram&utm_campaign=natal&name=Ana`);
  await untilCounted(seller.id, [1, 0]);
  await phone.reload();
  await buy(phone);
  await untilCounted(seller.id, [1, 1]);

  const dashboard = await open();
  await dashboard.goto("/reports");
  await dashboard.getByRole("link", { name: "Funil" }).click();
  await dashboard.getByRole("heading", { name: "Da visita à oferta" }).waitFor();
  expect(await stepsOn(dashboard)).toEqual(["1", "1", "1", "1", "0"]);
  await dashboard.getByText("Medido em 1 pagamento de 1.").filter({ visible: true }).first().waitFor();
  for (const name of ["instagram / natal", product.name, "Celular ou tablet"])
    await dashboard.getByRole("row", { name: `${name} 1 1 1 1 100,0%` }).waitFor();
  await dashboard.getByLabel("Campanha").selectOption("instagram / natal");
  await dashboard.waitForURL(/campaign=/);
  expect(await stepsOn(dashboard)).toEqual(["1", "1", "1", "1", "0"]);
  await dashboard.getByLabel("Aparelho").selectOption("Computador");
  await dashboard.getByText("Ninguém com estes filtros").waitFor();
  await dashboard.getByRole("link", { name: "Limpar filtros" }).click();
  await dashboard.getByRole("heading", { name: "Da visita à oferta" }).waitFor();

  const [stored] =
    await sql`select device, seen_at < created_at as seen from sales where seller_id = ${seller.id}`;
  expect(stored).toEqual({ device: "phone", seen: true });
  expect(await phone.context().cookies()).not.toContainEqual(
    expect.objectContaining({ name: /visit|seen|visto/ }),
  );
});

test("products of one name are rows of their own, which a filter takes away again", async () => {
  const { seller, product, open } = await openShop();
  const copy = await makeProduct(seller, { name: product.name });
  const other = await makeProduct(seller, { name: "Planilha" });
  const natal = { status: "completed", utmSource: "google", utmCampaign: "natal" } as const;
  for (const one of [product, product, copy, copy]) await makeSale(one, natal);
  await makeSale(other, { ...natal, utmCampaign: "verao" });
  const page = await open();
  await page.goto("/reports?tab=funnel");
  await waitForHydration(page);
  const names = () =>
    page
      .getByRole("columnheader", { name: "Produto" })
      .locator("xpath=ancestor::table")
      .getByRole("rowheader")
      .allTextContents();
  expect(await names()).toEqual([product.name, product.name, "Planilha"]);
  await page.getByLabel("Campanha").selectOption("google / verao");
  await page.waitForURL(/campaign=/);
  await expect.poll(names).toEqual(["Planilha"]);
});

test("without script the view is not counted, the PIX and the payment are, and the report states it", async () => {
  const { seller, path, open } = await openShop();
  const plain = await openPage({ url: app.url, width: 360, person: PHONE, javaScript: false });
  await plain.goto(`${path}?utm_source=instagram&utm_campaign=natal`);
  await buy(plain);
  expect(await counted(seller.id)).toEqual([0, 0]);
  const dashboard = await open({ javaScript: false });
  await dashboard.goto("/reports?tab=funnel");
  expect(await stepsOn(dashboard)).toEqual(["0", "0", "1", "1", "0"]);
  await dashboard.getByText(/^Sem JavaScript no navegador do comprador, a visita/).waitFor();
  await dashboard.getByText("Nenhum destes pagamentos tem o tempo contado").waitFor();
});

longTest(
  "a tab that nobody looks at counts once it is looked at, and a driven browser and a preview never",
  async () => {
    const { seller, product, path, open } = await openShop();
    const driven = await openPage({ url: app.url });
    await driven.goto(path);
    await fillCheckout(driven, { email: "robo@gmail.com" });
    const preview = await open({ person: DESKTOP });
    await preview.goto(`/products/${product.id}/preview`);
    await preview.getByLabel("Nome completo").fill("Vera");

    const hidden = await openPage({ url: app.url, person: DESKTOP });
    await hidden.addInitScript(() => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    });
    await hidden.goto(path);
    const seen = await openPage({ url: app.url, person: DESKTOP });
    await seen.goto(path);
    await untilCounted(seller.id, [1, 0]);
    await hidden.evaluate(() => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    await untilCounted(seller.id, [2, 0]);
  },
);

longTest("where the browser keeps nothing the page works, and counts", async () => {
  const { seller, path } = await openShop();
  const page = await openPage({ url: app.url, person: PHONE });
  await page.addInitScript(() => {
    for (const name of ["sessionStorage", "localStorage"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("closed", "SecurityError");
        },
      });
  });
  await page.goto(path);
  await buy(page);
  await untilCounted(seller.id, [1, 1]);
});

/** Fourteen days of visits and orders: long names, many campaigns, reminders. */
async function openBusyShop() {
  const shop = await openShop(
    "Curso Completo de Violão Popular Brasileiro para Iniciantes, do Zero ao Palco",
  );
  const second = await makeProduct(shop.seller, { name: "Mentoria em Grupo" });
  const random = seeded(5);
  const campaigns: [string | null, string | null][] = [
    ["facebook", "conversao-publico-frio-lookalike-compradores-ultimos-180-dias-video-03"],
    ["instagram", "natal-2026"],
    ["google", null],
    [null, null],
    ["tiktok", "ugc_dor"],
    ...Array.from({ length: 14 }, (_, n): [string, string] => ["facebook", `teste-${n + 1}`]),
  ];
  const views = Array.from({ length: 14 }, (_, ago) =>
    campaigns.flatMap((campaign, at) =>
      (["phone", "computer"] as const).map((device) => {
        const seen = Math.ceil((random() * 12) / (at + 1)) * (device === "phone" ? 4 : 1);
        const product = { id: random() < 0.7 ? shop.product.id : second.id };
        const day = dayOf(new Date(Date.now() - ago * DAY));
        return { day, product, campaign, device, seen, begun: Math.floor(seen * (0.25 + random() * 0.2)) };
      }),
    ),
  );
  await addViews(views.flat());
  for (let n = 0; n < 90; n++) {
    const product = n % 3 ? shop.product : second;
    const createdAt = new Date(Date.now() - Math.floor(random() * 13 * DAY) - DAY / 2);
    const [utmSource, utmCampaign] = campaigns[Math.floor(random() ** 2 * campaigns.length)]!;
    const isPaid = random() < 0.6;
    const completedAt = isPaid ? new Date(createdAt.getTime() + (1 + random() ** 6 * 600) * MINUTE) : null;
    const sale = await makeSale(product, {
      ...{ createdAt, completedAt, utmSource, utmCampaign, device: random() < 0.8 ? "phone" : "computer" },
      seenAt: n % 7 ? new Date(createdAt.getTime() - random() * 5 * MINUTE) : null,
      status: isPaid ? "completed" : "pending",
    });
    await makeCharge(sale);
    if (n % 9 === 0) await makeCharge(await makeSale(product, { parentSaleId: sale.id, createdAt }));
    const sentAt = new Date(createdAt.getTime() + 3 * MINUTE);
    if (n % 2) await writeMail(sale, { kind: "reminder", status: "sent", sentAt, createdAt: sentAt });
  }
  await refresh();
  return shop;
}

for (const { width, javaScript } of oneWay(true)) {
  const how = `${width}-${javaScript ? "js" : "plain"}`;
  longTest(`a busy funnel can be read and narrowed (${how})`, async () => {
    const { product, open } = await openBusyShop();
    const page = await open({ width, javaScript });
    await page.goto("/reports?tab=funnel&range=30d");
    await waitForHydration(page);
    await page.getByText("Maior perda", { exact: true }).waitFor();
    await savePicture(page, `funnel-${how}`);
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await page.getByLabel("Produto").selectOption(String(product.id));
    if (!javaScript) await page.getByRole("button", { name: "Filtrar" }).click();
    await page.waitForURL(/product=\d/);
    await page.getByRole("heading", { name: "Por produto" }).waitFor({ state: "detached" });
    await page.getByLabel("Período").selectOption("7d");
    if (!javaScript) await page.getByRole("button", { name: "Ver", exact: true }).click();
    await page.waitForURL(/range=7d/);
    expect(new URL(page.url()).searchParams.get("product")).toBe(String(product.id));
  });

  longTest(`an empty funnel states what to do (${how})`, async () => {
    const { open } = await openShop();
    const page = await open({ width, javaScript });
    await page.goto("/reports?tab=funnel");
    await page.getByText("Ninguém viu um checkout seu neste período").waitFor();
    await savePicture(page, `funnel-empty-${how}`);
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await page.getByRole("link", { name: "Ver meus produtos" }).click();
    await page.getByRole("heading", { level: 1, name: "Produtos" }).waitFor();
  });
}

longTest("the funnel keeps its look in the dark", async () => {
  const { open } = await openBusyShop();
  for (const width of WIDTHS) {
    const page = await open({ width, dark: true });
    await page.goto("/reports?tab=funnel&range=30d");
    await page.getByText("Maior perda", { exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, `funnel-dark-${width}`);
  }
});

longTest("with a coupon chosen only its orders are shown, from the PIX on", async () => {
  const { seller, product, open } = await openShop();
  const coupon = await makeCoupon(seller, { code: "NATAL" });
  const ordered = { couponId: coupon.id, couponCode: coupon.code };
  for (const paid of [true, false])
    await makeCharge(await makeSale(product, { ...ordered, status: paid ? "completed" : "pending" }));
  await makeCharge(await makeSale(product, { status: "completed" }));
  const page = await open({ width: 360 });
  await page.goto("/reports?tab=funnel");
  await waitForHydration(page);
  await page.getByLabel("Cupom").selectOption("NATAL");
  await page.getByRole("heading", { name: "Do pedido à oferta" }).waitFor();
  expect(await stepsOn(page)).toEqual(["2", "1", "0"]);
  await page.getByText("Visitas não têm cupom").waitFor();
  await expectNoSidewaysScroll(page);
  await savePicture(page, "funnel-coupon-360");
  await expectNoSeriousAxe(page);
});
