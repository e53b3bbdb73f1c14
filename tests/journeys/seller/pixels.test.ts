import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
  waitForThanks,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { longTest, oneWay, WIDTHS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width?: number; dark?: boolean } = {}) {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  await makeProduct(seller);
  const { Cookie } = await signedIn(seller);
  return { seller, page: await openPage({ url: app.url, cookie: Cookie, ...options }) };
}

/** A shop that notifies all four, with its own codes. */
async function openAdvertisedShop(code: string) {
  const seller = await makeSeller({ name: "Cordas & Cia" });
  await makeGateway(seller);
  const product = await makeProduct(seller);
  for (const kind of ["meta", "ga4", "tiktok", "kwai"] as const)
    await makePixel(seller, kind, { pixelId: kind === "ga4" ? `G-${code}` : code });
  const received = async (count: number) => {
    const all = async () => (await app.sandbox.conversions()).filter(({ pixel }) => pixel.endsWith(code));
    await until(async () => (await all()).length >= count, { what: `${count} events` });
    return all();
  };
  return { seller, product, received };
}

async function payHere(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await page.waitForURL("**/checkout/pix/**");
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const [transaction] = (await app.sandbox.transactions()).filter((one) => one.qr_code === code);
  await app.sandbox.pay(transaction!.id);
  await waitForThanks(page);
  return new URL(page.url()).pathname.split("/").at(-1)!;
}

for (const { width, javaScript } of oneWay(false))
  test(`from an ad's link to the purchase at each advertiser, ${width} px ${javaScript ? "with" : "without"} JavaScript`, async () => {
    const { product, received } = await openAdvertisedShop(`77${width}${javaScript ? 1 : 0}00`);
    const page = await openPage({ javaScript, width, url: app.url });
    const foreign: string[] = [];
    page.on("request", (request) => !request.url().startsWith(app.url) && foreign.push(request.url()));
    await page.goto(
      `/checkout/${product.id}?utm_source=ig&fbclid=IwAR0-${width}&ttclid=E.C.P.tt&click_id=kwai_${width}&gclid=g1`,
    );
    await page.getByText(/enviados ao Google, ao Kwai, à Meta e ao TikTok para medir anúncios/).waitFor();
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await savePicture(page, `consent-${width}-${javaScript ? "js" : "plain"}`);
    if (javaScript) {
      // A buyer who returns without the ad's link still counts for the ad.
      await page.goto(`/checkout/${product.id}`);
      expect(await page.evaluate(() => document.cookie)).toContain("fbclid");
    }
    await fillCheckout(page, { email: `ana-${width}-${javaScript}@gmail.com` });
    await page.getByRole("checkbox", { name: /medir anúncios/ }).check();
    const saleId = await payHere(page);
    const events = await received(11);
    expect(foreign.filter((address) => !address.startsWith("data:"))).toEqual([]);
    const of = (service: string) => events.filter((one) => one.service === service);
    expect(of("meta").map(({ event, id }) => [event, id])).toEqual([
      ["InitiateCheckout", `checkout.${saleId}`],
      ["AddPaymentInfo", `payment.${saleId}`],
      ["Purchase", `purchase.${saleId}`],
    ]);
    expect(of("meta")[2]!.body).toMatchObject({
      action_source: "website",
      user_data: {
        em: [expect.stringMatching(/^[0-9a-f]{64}$/)],
        fbc: expect.stringMatching(new RegExp(`^fb\\.0\\.\\d{13}\\.IwAR0-${width}$`)),
        fbp: expect.stringMatching(/^fb\.0\.\d{13}\.\d+$/),
        client_user_agent: expect.stringContaining("Mozilla"),
        client_ip_address: expect.any(String),
      },
      custom_data: { currency: "BRL", value: 97, order_id: saleId },
    });
    expect(of("ga4").map(({ event }) => event)).toEqual(["begin_checkout", "add_payment_info", "purchase"]);
    expect(of("tiktok")[2]).toMatchObject({
      event: "CompletePayment",
      body: { user: { ttclid: "E.C.P.tt" } },
    });
    expect(of("kwai").map(({ body }) => body.clickid)).toEqual([`kwai_${width}`, `kwai_${width}`]);
    expect(events.every(({ counted }) => counted)).toBe(true);
  });

longTest("a buyer who leaves the box unticked is reported only to GA4, without personal data", async () => {
  const { seller, product, received } = await openAdvertisedShop("880088");
  const page = await openPage({ url: app.url });
  await page.goto(`/checkout/${product.id}?fbclid=IwAR0abc`);
  await fillCheckout(page, { email: "calada@gmail.com" });
  const saleId = await payHere(page);
  await until(async () => {
    const rows = await sql`select status from deliveries where sale_id = ${saleId}`;
    return rows.length === 11 && rows.every(({ status }) => status !== "queued");
  });
  const events = await received(3);
  expect(events.map(({ service }) => service)).toEqual(["ga4", "ga4", "ga4"]);
  expect(JSON.stringify(events)).not.toMatch(/IwAR0abc|calada|Mozilla/);
  const dashboard = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie, width: 360 });
  const answered = async (text: string) => {
    await dashboard.goto(`/reports/sales/${saleId}`);
    await dashboard.getByText(text, { exact: true }).waitFor();
    await expectNoSidewaysScroll(dashboard);
  };
  await answered("Não aceitou: os anunciantes não recebem os dados dele");
  await sql`update sales set ad_consent = true where id = ${saleId}`;
  await answered("Aceitou informar os anunciantes");
  await sql`update sales set ad_consent = null where id = ${saleId}`;
  await answered("Não foi perguntado");
});

for (const { width, javaScript } of oneWay(true))
  longTest(
    `a pixel is made, tested, refused, changed, paused and deleted at ${width} px ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { seller, page } = await dashboard({ javaScript, width });
      const shot = async (name: string) => {
        await expectNoSidewaysScroll(page);
        await expectNoSeriousAxe(page);
        if (javaScript) await savePicture(page, `${name}-${width}`);
      };
      await page.goto("/settings/integrations");
      await page.getByRole("link", { name: "Configurar Pixels e conversões" }).click();
      await page.getByText("Nenhum pixel ainda").waitFor();
      await shot("pixels-none");
      await page.getByRole("link", { name: "Novo pixel" }).click();
      await page.getByText("Onde você anuncia?").waitFor();
      await shot("pixel-services");
      await page.getByRole("link", { name: /^Meta/ }).click();
      await page.getByLabel("Nome").fill("Conta principal");
      await page.getByLabel("ID do pixel (conjunto de dados)").fill("G-1234");
      await page.getByLabel("Token da API de Conversões", { exact: true }).fill("sandbox-EAAG12345");
      await page.getByRole("button", { name: "Criar pixel" }).click();
      await page
        .getByText(/Não parece um código deste serviço/)
        .first()
        .waitFor();
      allowTroubles(/400/);
      await page.getByLabel("ID do pixel (conjunto de dados)").fill("1234567890123456");
      await page.getByLabel("Token da API de Conversões", { exact: true }).fill("sandbox-EAAG12345");
      await shot("pixel-new");
      await page.getByRole("button", { name: "Criar pixel" }).click();
      await page.getByText(/Pixel criado/).waitFor();
      await page.getByLabel("Código de teste (TEST12345)").fill("TEST777");
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText(/Teste aceito/).waitFor();
      await app.sandbox.fault({
        service: "meta",
        mode: "status-400",
        body: { error: { code: 100, message: "Invalid parameter: pixel" } },
      });
      expect(await page.getByLabel("Código de teste (TEST12345)").inputValue()).toBe("TEST777");
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page
        .getByText(
          /O teste não passou. Recusado pelo serviço. Resposta do serviço: “Invalid parameter: pixel/,
        )
        .first()
        .waitFor();
      await page.getByText("Aviso e resposta").first().click();
      await page.getByLabel("Corpo enviado").waitFor();
      await page.getByText("InitiateCheckout").first().waitFor();
      expect(await page.content()).not.toContain("EAAG");
      await shot("pixel-log");
      await page.getByRole("link", { name: "Configuração", exact: true }).click();
      await page.getByLabel("Contar PIX gerado como compra").check();
      await shot("pixel-settings");
      await page.getByRole("button", { name: "Salvar pixel" }).click();
      await page.getByText("Pixel salvo com sucesso!").waitFor();
      await page.getByRole("link", { name: "Envios" }).click();
      await page.getByRole("button", { name: "Pausar" }).click();
      await page.getByText(/Pixel pausado/).waitFor();
      const [row] =
        await sql`select stopped_reason, settings from destinations where seller_id = ${seller.id}`;
      expect(row).toMatchObject({
        stopped_reason: "seller",
        settings: { countsPixSince: expect.any(String) },
      });
      await page.goto("/settings/pixels");
      await page.getByText("PIX gerado conta como compra").waitFor();
      await shot("pixels");
      await page.getByRole("link", { name: /Conta principal/ }).click();
      await page.getByRole("button", { name: "Excluir", exact: true }).click();
      await page.getByRole("button", { name: "Excluir pixel" }).click();
      await page.getByText("Pixel excluído.").waitFor();
      await page.getByText("Nenhum pixel ainda").waitFor();
    },
  );

for (const width of WIDTHS)
  longTest(`in the dark at ${width} px`, async () => {
    const { seller, page } = await dashboard({ dark: true, width });
    const id = await makePixel(seller, "ga4", { name: "Site" });
    await page.goto("/settings/pixels/new?kind=tiktok");
    await savePicture(page, `pixel-new-${width}-dark`);
    await page.goto(`/settings/pixels/${id}`);
    await page.getByRole("button", { name: "Enviar teste" }).click();
    await page.getByText(/Teste aceito/).waitFor();
    await savePicture(page, `pixel-log-${width}-dark`);
    await page.goto("/settings/pixels");
    await page.getByText(/Último:/).waitFor();
    await savePicture(page, `pixels-${width}-dark`);
    await expectNoSeriousAxe(page);
  });
