import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { unavailablePage } from "#app/server/pages/unavailable-page.server.ts";
import { makeBuyerScreens } from "#tests/journeys/buyer/screens.ts";
import { openStill } from "#tests/journeys/buyer/still.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  enlargeText,
  expectNoAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  sticksOut,
} from "#tests/support/clients/browser.ts";
import { everyNth, WIDTHS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let product: { id: number };

/** Addresses of every screen a buyer may meet. */
let screens: Record<string, string>;
let cookie: string;

beforeAll(async () => {
  ({ screens, cookie, product } = await makeBuyerScreens());
  app = await sharedApp();
});

describe.each(WIDTHS)("%s px wide", (width) => {
  test("no screen a buyer can meet has an accessibility problem of any weight, or sticks out", async () => {
    const page = await openPage({ url: app.url, width, cookie });
    await ignoreEvents(page);
    const wide: string[] = [];
    const low: string[] = [];
    const squeezed: string[] = [];
    for (const [name, path] of everyNth(10, Object.entries(screens))) {
      await page.goto(path);
      expect(await page.getByRole("heading", { level: 1 }).count(), name).toBe(1);
      await expectNoSidewaysScroll(page);
      await savePicture(page, `screen-${name}-${width}`);
      // The same document on a wide screen.
      if (width > 600) continue;
      await expectNoAxe(page);
      low.push(...(await lowLinks(page)).map((link) => `${name}: ${link}`));
      // A desktop of 1280 px enlarged to 400%.
      await page.setViewportSize({ width: 320, height: 256 });
      wide.push(...(await sticksOut(page)).map((what) => `${name}, enlarged: ${what}`));
      await page.setViewportSize({ width, height: 740 });
      const restore = await enlargeText(page);
      wide.push(...(await sticksOut(page)).map((what) => `${name}, large text: ${what}`));
      squeezed.push(...(await squeezedTexts(page)).map((text) => `${name}: ${text}`));
      // A picture resets the browser's setting.
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "32px"));
      await savePicture(page, `screen-${name}-large`);
      await restore();
    }
    expect(wide).toEqual([]);
    expect(low, "links at the foot that are too low to be tapped").toEqual([]);
    expect(squeezed).toEqual([]);
    allowTroubles(/status of 40[34]/);
  });
});

test("on a desktop the total and the button are under the form, in sight with two order bumps; the summary stays beside it", async () => {
  const page = await openPage({ url: app.url });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(screens.demo!);
  expect(await page.getByRole("checkbox").count()).toBe(2);
  const box = (name: string) => page.getByRole("region", { name }).boundingBox();
  const [form, total, summary] = await Promise.all(
    ["Seus dados", "Total a pagar", "Resumo do pedido"].map(box),
  );
  const button = await page.getByRole("button", { name: "Comprar Agora" }).boundingBox();
  expect(button!.y + button!.height).toBeLessThanOrEqual(800);
  expect([total!.x, button!.x]).toEqual([form!.x, form!.x]);
  expect([form!.y < total!.y, total!.y < button!.y]).toEqual([true, true]);
  expect(summary!.x).toBeGreaterThanOrEqual(form!.x + form!.width);
  // Low windows show the rest by scrolling; the summary moves along.
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.getByRole("button", { name: "Comprar Agora" }).scrollIntoViewIfNeeded();
  expect((await box("Resumo do pedido"))!.y).toBeGreaterThanOrEqual(0);
});

test("nor have the pages before the dashboard, which do not shift while their script loads", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  for (const path of everyNth(2, [
    "/login",
    "/register",
    "/forgot-password",
    "/confirm-email",
    "/reset-password/nada",
  ])) {
    await openStill(page, path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectNoAxe(page);
  }
  allowTroubles(/status of 40\d/);
});

test("nor the page shown while the database is away, which retries by itself", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  const cachedPage = unavailablePage({ method: "GET", headers: new Headers() });
  const [body, headers] = [await cachedPage.text(), Object.fromEntries(cachedPage.headers)];
  let [requested, notified] = [0, 0];
  page.on("console", (message) => {
    if (/status of 503/.test(message.text())) notified += 1;
  });
  await page.route("**/thank-you", (route) => {
    requested += 1;
    return route.fulfill({ status: 503, headers, body });
  });
  await page.clock.install();
  await page.goto("/thank-you");
  await expectNoAxe(page);
  await page.clock.runFor(5000);
  // The browser reports each answer after it arrived, and would report the second in the next test.
  await expect.poll(() => notified).toBe(2);
  expect(requested).toBe(2);
  allowTroubles(/status of 503/);
});

test("a form sent meanwhile stays, and states that the shop is away and nothing typed is lost, instead of blaming the network", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto("/thank-you");
  await page.route("**/thank-you", async (route) => {
    const request = route.request();
    const away = unavailablePage({ method: "POST", headers: new Headers(await request.allHeaders()) });
    await route.fulfill({
      status: 503,
      headers: Object.fromEntries(away.headers),
      body: await away.text(),
    });
  });
  await page.getByLabel("E-mail da compra").fill("ana@exemplo.com.br");
  await page.getByRole("button", { name: "Receber o link de acesso" }).click();
  expect(await page.getByRole("alert").textContent()).toBe(
    "Estamos fora do ar por um instante. Espere alguns segundos e tente de novo: o que você preencheu continua aqui. Se você acabou de pagar, nenhum pagamento se perde.",
  );
  expect(await page.getByLabel("E-mail da compra").inputValue()).toBe("ana@exemplo.com.br");
  allowTroubles(/status of 503/);
});

test("a buyer who bought nothing reads it at the upsells' address, and is not redirected", async () => {
  const page = await openPage({ url: app.url });
  await page.clock.install();
  await page.goto(`/upsell/${product.id}`);
  await page.getByRole("heading", { name: "Nenhuma compra encontrada" }).waitFor();
  expect(await page.getByText("Obrigado pela sua compra!").count()).toBe(0);
  await page.clock.runFor(20_000);
  expect(new URL(page.url()).pathname).toBe(`/upsell/${product.id}`);
  expect(await page.locator("meta[http-equiv]").count()).toBe(0);
  allowTroubles(/status of 404/);
});

test("the whole journey works by keyboard alone, and a screen reader announces each step", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  const { keyboard } = page;
  const next = async (times = 1) => {
    for (let i = 0; i < times; i++) await keyboard.press("Tab");
    return page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.id);
  };
  /** Tabs on until something with this name has the focus. */
  const reach = async (name: string) => {
    for (let i = 0; i < 40; i++) if ((await next())?.includes(name)) return;
    throw new Error(`${name} is not reached by Tab`);
  };
  await page.goto("/checkout/s/telas");
  expect(await page.locator("main").ariaSnapshot()).toMatchAriaTree([
    'heading "Estúdio Aurora" [level=1]',
    'heading "Seus dados" [level=2]',
    'textbox "Nome completo"',
    'textbox "Seu melhor e-mail"',
    'textbox "Confirme seu e-mail"',
    'textbox "CPF"',
    'textbox "WhatsApp"',
    'region "Pagamento por PIX"',
    'region "Resumo do pedido"',
    "checkbox",
    'region "Total a pagar"',
    'button "Quero começar agora"',
  ]);
  // An empty form reports what is missing, at the first field.
  await reach("Quero começar agora");
  await keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("customer_name");
  await keyboard.type("Ana Lima");
  await next();
  await keyboard.type("ana@gmail.com");
  await next();
  await keyboard.type("ana@gmail.com");
  expect(await page.getByRole("status").filter({ hasText: "E-mails coincidem" }).count()).toBe(1);
  await next();
  await keyboard.type("52998224725");
  await next(2);
  await keyboard.type("11987654321");
  await next();
  await keyboard.press("Space");
  const total = page.locator("[aria-live=polite]");
  await expect.poll(() => total.textContent()).toContain("R$ 116,90");
  await next();
  await keyboard.press("Enter");
  await page.waitForURL("**/checkout/pix/**");
  expect(await page.locator("main").ariaSnapshot()).toMatchAriaTree([
    'heading "Pagamento Iniciado" [level=1]',
    'status "Situação do pagamento"',
    'region "Pague com PIX"',
    'button "Copiar código"',
    'textbox "Código PIX copia e cola"',
    'img "QR code do PIX"',
    'button "Já paguei - Verificar status"',
  ]);
  await reach("Verificar agora");
  await reach("Copiar código");
  await reach("Já paguei");
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const { id } = (await app.sandbox.transactions()).find(({ qr_code }) => qr_code === code)!;
  await app.sandbox.pay(id);
  const approved = page
    .getByRole("status", { name: "Situação do pagamento" })
    .getByText("Pagamento Aprovado!")
    .waitFor();
  const wentOn = page.waitForURL("**/thank-you/**");
  // A page rendered anew for the announcement goes on without announcing again.
  await Promise.race([approved, wentOn]);
  approved.catch(() => {});
  await wentOn;
  await reach("Não, obrigado");
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Obrigado pela sua compra!" }).waitFor();
  await reach("Baixar Produto");
  await until(async () => (await app.sandbox.emails("ana@gmail.com")).length > 1);
});

/** Keeps a screen as it is while it is checked: it is notified of nothing, and its own checks fail. */
async function ignoreEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    class Silent extends EventTarget {
      static readonly CLOSED = 2;
      readonly readyState = 1;
      close() {}
    }
    Object.assign(window, { EventSource: Silent });
  });
  await page.route("**/status?*", (route) => route.fulfill({ json: { success: false } }));
}

/** Links at the foot that are lower than 44 px. */
function lowLinks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".foot a")]
      .filter((link) => link.getBoundingClientRect().height < 44)
      .map((link) => `${link.textContent}`),
  );
}

expect.extend({
  /** The parts are in the accessibility tree in this order. */
  toMatchAriaTree(tree: string, parts: string[]) {
    let at = 0;
    const missing = parts.find((part) => {
      const found = tree.indexOf(part, at);
      at = found + 1;
      return found < 0;
    });
    return {
      pass: missing === undefined,
      message: () => `${missing} is not there, or not in its place:\n${tree}`,
    };
  },
});

declare module "vitest" {
  interface Matchers {
    toMatchAriaTree(parts: string[]): void;
  }
}

/** Texts whose column is so narrow that words are broken into a few letters a line. */
function squeezedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("body *")]
      .filter((element) => {
        const text =
          [...element.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)?.nodeValue ?? "";
        const { width, height } = element.getBoundingClientRect();
        const size = Number.parseFloat(getComputedStyle(element).fontSize);
        const isShown = element.checkVisibility() && width > 1;
        return isShown && text.trim().length > 9 && width < 4 * size && height > 3.5 * size;
      })
      .map(({ innerText }) => innerText),
  );
}
