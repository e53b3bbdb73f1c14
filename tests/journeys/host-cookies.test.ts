import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailedToken } from "#tests/integration/buyer/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { allowTroubles, openPage, waitForHydration } from "#tests/support/browser.ts";
import { sql } from "#tests/support/database.ts";
import { fillCheckout } from "#tests/support/fill-checkout.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { PASSWORD, passwordHash } from "#tests/support/signed-in-ago.ts";
import { forwardTo, makeCertificate, startTls } from "#tests/support/tls-proxy.ts";
import { until } from "#tests/support/until.ts";
import { visitor } from "#tests/support/visitor.ts";

/** A shop behind TLS, another host of its domain, and its own host without TLS. */
let app: App;
let shop: string;
let sibling: string;
let plain: string;
/** What the hosts that plant cookies send at their next answer: as bytes, so that odd ones arrive. */
let planted: string[] = [];

const seller = await makeSeller({ passwordHash, name: "Cordas & Cia" });
const thief = await makeSeller({ passwordHash, name: "Ladra" });

function plant(_: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(200, { "Content-Type": "text/html", "Set-Cookie": planted });
  outgoing.end("<title>plantado</title>");
}

beforeAll(async () => {
  await makeGateway(seller);
  await makeProduct(seller, { checkoutSlug: "violao" });
  const certificate = makeCertificate("loja.test");
  const port = await startTls(
    certificate,
    forwardTo(() => Number(new URL(app.url).port)),
  );
  shop = `https://app.loja.test:${port}`;
  sibling = `https://outra.loja.test:${await startTls(certificate, plant)}`;
  const server = createServer(plant);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  afterAll(() => void server.close());
  plain = `http://app.loja.test:${(server.address() as AddressInfo).port}`;
  app = await startApp({ env: { APP_URL: shop } });
});

/** The cookies that a browser sends to the shop. */
async function sent(page: Page) {
  const all = await page.context().cookies(shop);
  return new Map(all.map((cookie) => [cookie.name, cookie.value]));
}

async function signIn(page: Page) {
  await page.goto("/login");
  await waitForHydration(page);
  await page.getByLabel("E-mail").fill(seller.email);
  await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
  await page.waitForURL("**/dashboard");
}

async function expectOwnCookies(page: Page, names: string[]) {
  const all = await page.context().cookies(shop);
  expect(all.map(({ name }) => name).toSorted()).toEqual(names.map((name) => `__Host-${name}`));
  for (const { domain, path, secure, httpOnly } of all)
    expect({ domain, path, secure, httpOnly }).toEqual({
      domain: "app.loja.test",
      path: "/",
      secure: true,
      httpOnly: true,
    });
}

test("a seller signs in, works and signs out behind TLS", async () => {
  const page = await openPage({ url: shop });
  await signIn(page);
  await expectOwnCookies(page, ["conta", "sessao"]);
  await page.goto("/settings");
  expect(await page.getByLabel("Nome", { exact: true }).first().inputValue()).toBe("Cordas & Cia");
});

test("a buyer pays, goes back, and finds what they bought behind TLS", async () => {
  const page = await openPage({ url: shop, width: 360 });
  const email = "ana-tls@exemplo.com.br";
  await page.goto("/checkout/s/violao");
  await fillCheckout(page, { email });
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await page.waitForURL("**/checkout/pix/**");
  await expectOwnCookies(page, ["compras", "pedido"]);
  const pix = page.url();
  await page.goto("/checkout/s/violao?retry=1");
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe(email);
  await page.goto(pix);
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const [transaction] = (await app.sandbox.transactions()).filter((one) => one.qr_code === code);
  await app.sandbox.pay(transaction!.id);
  await page.getByRole("button", { name: /Já paguei/ }).click();
  await page.waitForURL("**/thank-you/**");
  await expectOwnCookies(page, ["compras"]);

  await page.goto("/minhas-compras");
  await page.getByLabel("E-mail da compra").fill(email);
  await page.getByRole("button", { name: "Receber o link" }).click();
  await page.getByRole("heading", { name: "Confira o seu e-mail" }).waitFor();
  const token = await until(() => mailedToken(email).catch(() => null));
  await page.goto(`/minhas-compras/entrar/${token}`);
  await page.getByRole("button", { name: "Ver minhas compras" }).click();
  await page.getByRole("heading", { name: "Cordas & Cia" }).waitFor();
  await expectOwnCookies(page, ["comprador", "compras"]);
});

/** The thief's own cookies, as the shop gave them: of their session, an order with their e-mail, an account in the victim's name. */
async function ofTheThief() {
  const browser = visitor(app.url);
  expect((await browser.json("/api/sessions", { email: thief.email, password: PASSWORD })).status).toBe(200);
  await browser.post("/checkout/s/violao", {
    customer_name: "Ladra",
    customer_email: "ladra@exemplo.com.br",
    customer_email_confirmation: "ladra@exemplo.com.br",
    customer_phone: "11987654321",
    customer_document: "529.982.247-25",
  });
  const pairs = new Map(
    browser.cookies().map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  const value = (name: string) => pairs.get(`__Host-${name}`)!;
  return { sessao: value("sessao"), pedido: value("pedido"), compras: value("compras") };
}

/** Every way to say a name that a browser or a server might take for another one. */
function linesFor(name: string, value: string): string[] {
  const domain = "Domain=loja.test";
  const raw = (text: string) => Buffer.from(text).toString("latin1");
  return [
    `__Host-${name}=${value}; ${domain}; Path=/; Secure`,
    `__Host-${name}=${value}; ${domain}; Path=/checkout; Secure`,
    `__Host-${name}=${value}; Path=/; Secure`,
    `__host-${name}=${value}; ${domain}; Path=/; Secure`,
    `__Secure-${name}=${value}; ${domain}; Path=/; Secure`,
    `${name}=${value}; ${domain}; Path=/`,
    // Without a name, with blanks that a server might trim, and with what it might decode.
    `=__Host-${name}=${value}; ${domain}; Path=/`,
    `; __Host-${name}=${value}; ${domain}; Path=/`,
    `%5F%5FHost-${name}=${value}; ${domain}; Path=/`,
    ...["\u00a0", "\u2000", "\u0085", "\ufeff", "\u3000"].flatMap((blank) => [
      `${raw(`${blank}__Host-${name}`)}=${value}; ${domain}; Path=/`,
      `${raw(`__Host-${name}${blank}`)}=${value}; ${domain}; Path=/`,
    ]),
    `\u00a0__Host-${name}=${value}; ${domain}; Path=/`,
    `\u0085__Host-${name}=${value}; ${domain}; Path=/`,
    `"__Host-${name}"=${value}; ${domain}; Path=/`,
  ];
}

test("another host of the domain, with and without TLS, plants no cookie that the shop takes for its own", async () => {
  const own = await ofTheThief();
  const lines = Object.entries(own).flatMap(([name, value]) => linesFor(name, value));
  const page = await openPage({ url: shop });
  allowTroubles(/404/);
  for (const line of lines) {
    planted = [line];
    for (const host of [sibling, plain]) await page.goto(host);
  }
  // By a page's script, too.
  await page.goto(sibling);
  await page.evaluate((session) => {
    // biome-ignore lint/suspicious/noDocumentCookie: as such a page would
    document.cookie = `__Host-sessao=${session}; Domain=loja.test; Path=/; Secure`;
  }, own.sessao);
  const cookies = await sent(page);
  for (const name of Object.keys(own)) expect([...cookies.keys()]).not.toContain(`__Host-${name}`);
  // Others were planted, so that this means something.
  expect(cookies.get("sessao")).toBe(own.sessao);

  await page.goto("/dashboard");
  expect(new URL(page.url()).pathname).toBe("/login");
  await page.goto("/checkout/s/violao?retry=1");
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe("");
  await signIn(page);
  await page.goto("/settings");
  expect(await page.getByLabel("Nome", { exact: true }).first().inputValue()).toBe("Cordas & Cia");
  const session = (await sent(page)).get("__Host-sessao");
  expect(session).not.toBe(own.sessao);

  // Nor does any of them take the place of a cookie that is there.
  for (const line of lines.filter((one) => one.includes("sessao"))) {
    planted = [line];
    for (const host of [sibling, plain]) await page.goto(host);
  }
  await page.goto("/settings");
  expect(await page.getByLabel("Nome", { exact: true }).first().inputValue()).toBe("Cordas & Cia");
  const [row] = await sql`select count(*)::int as n from sessions where seller_id = ${seller.id}`;
  expect(row!.n).toBeGreaterThan(0);
});
