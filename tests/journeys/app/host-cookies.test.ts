import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, passwordHash } from "#tests/integration/identity/signed-in-ago.ts";
import { forwardTo, makeCertificate, startTls } from "#tests/journeys/app/tls-proxy.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { allowTroubles, fillCheckout, openPage, waitForHydration } from "#tests/support/clients/browser.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/**
 * A shop behind TLS and another host of its domain. Its own host without TLS has another domain here: browsers trust
 * everything under `localhost` also over http.
 */
let app: App;
let shop: string;
let sibling: string;
let plain: string;
/** What the hosts that plant cookies send with their next answer: as bytes, so that odd ones arrive. */
let planted: string[] = [];
/** The cookies of the last requested page, byte by byte: other interfaces drop odd bytes. */
let cookiesSent: string[] = [];

const PORTAL = "/minhas-compras/entrar/";

const seller = await makeSeller({ passwordHash, name: "Cordas & Cia" });
const thief = await makeSeller({ passwordHash, name: "Ladra" });

function hear({ method, url, headers }: IncomingMessage): void {
  if (method === "GET" && url !== "/favicon.ico" && headers["sec-fetch-dest"] === "document")
    cookiesSent = headers.cookie?.split("; ") ?? [];
}

function plant(incoming: IncomingMessage, outgoing: ServerResponse): void {
  hear(incoming);
  outgoing.writeHead(200, { "Content-Type": "text/html", "Set-Cookie": planted });
  outgoing.end("<title>plantado</title>");
}

beforeAll(async () => {
  await makeGateway(seller);
  await makeProduct(seller, { checkoutSlug: "violao" });
  const certificate = makeCertificate("loja.localhost");
  const forward = forwardTo(() => Number(new URL(app.url).port));
  const port = await startTls(certificate, (incoming, outgoing) => {
    hear(incoming);
    forward(incoming, outgoing);
  });
  shop = `https://app.loja.localhost:${port}`;
  sibling = `https://outra.loja.localhost:${await startTls(certificate, plant)}`;
  const server = createServer(plant);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  afterAll(() => void server.close());
  plain = `http://app.loja.test:${(server.address() as AddressInfo).port}`;
  app = await startApp({ env: { APP_URL: shop } });
});

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
  expect(all.map(({ name }) => name.replace(/-[0-9a-f]{8}$/, "")).toSorted()).toEqual(
    names.map((name) => `__Host-${name}`),
  );
  for (const { domain, path, secure, httpOnly } of all)
    expect({ domain, path, secure, httpOnly }).toEqual({
      domain: "app.loja.localhost",
      path: "/",
      secure: true,
      httpOnly: true,
    });
}

longTest("a seller signs in and works behind TLS", async () => {
  const page = await openPage({ url: shop });
  await signIn(page);
  await expectOwnCookies(page, ["conta", "sessao"]);
  await page.goto("/settings");
  expect(await page.getByLabel("Nome", { exact: true }).first().inputValue()).toBe("Cordas & Cia");
});

test("a buyer pays, returns, and finds what they bought behind TLS", async () => {
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
  const link = await until(async () => {
    const mails = await app.sandbox.emails();
    const [mail] = mails.filter(({ body }) => body.to.includes(email) && body.html!.includes(PORTAL));
    return mail && mail.body.html!.split(PORTAL)[1]!.split('"')[0];
  });
  await page.goto(PORTAL + link);
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
  const [compras] = [...pairs.keys()].flatMap((name) => /^__Host-(compras-.*)/.exec(name)?.[1] ?? []);
  return { sessao: value("sessao"), pedido: value("pedido"), [compras!]: value(compras!) };
}

/** Every spelling of a name that a browser or a server might treat as another one. */
function linesFor(name: string, value: string): string[] {
  const domain = "Domain=loja.localhost";
  const raw = (text: string) => Buffer.from(text).toString("latin1");
  return [
    `__Host-${name}=${value}; ${domain}; Path=/; Secure`,
    `__Host-${name}=${value}; ${domain}; Path=/checkout; Secure`,
    `__Host-${name}=${value}; Path=/; Secure`,
    `__host-${name}=${value}; ${domain}; Path=/; Secure`,
    `__Secure-${name}=${value}; ${domain}; Path=/; Secure`,
    `${name}=${value}; ${domain}; Path=/`,
    // Without a name, with blanks that a server might trim, and with encodings that it might decode.
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

longTest("another host of the domain plants no cookie that the shop accepts as its own", async () => {
  const own = await ofTheThief();
  const lines = Object.entries(own).flatMap(([name, value]) => linesFor(name, value));
  const page = await openPage({ url: shop });
  allowTroubles(/404/);
  for (const line of lines) {
    planted = [line];
    await page.goto(sibling);
  }
  // By a page's script, too.
  await page.goto(sibling);
  await page.evaluate((session) => {
    // biome-ignore lint/suspicious/noDocumentCookie: as such a page would
    document.cookie = `__Host-sessao=${session}; Domain=loja.localhost; Path=/; Secure`;
  }, own.sessao);
  await page.goto("/dashboard");
  expect(new URL(page.url()).pathname).toBe("/login");
  // Others were planted, so that this means something.
  expect(cookiesSent).toContain(`sessao=${own.sessao}`);
  expect(cookiesSent.filter((pair) => pair.startsWith("__Host-"))).toEqual([]);
  await page.goto("/checkout/s/violao?retry=1");
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe("");
  await signIn(page);
  await page.goto("/settings");
  expect(await page.getByLabel("Nome", { exact: true }).first().inputValue()).toBe("Cordas & Cia");
  const session = cookiesSent.filter((pair) => pair.startsWith("__Host-sessao="));
  expect(session).toHaveLength(1);
  expect(session).not.toContain(`__Host-sessao=${own.sessao}`);

  // Nor does any of them replace an existing cookie.
  for (const line of lines.filter((one) => one.includes("sessao"))) {
    planted = [line];
    await page.goto(sibling);
  }
  await page.goto("/settings");
  expect(await page.getByLabel("Nome", { exact: true }).first().inputValue()).toBe("Cordas & Cia");
  expect(cookiesSent.filter((pair) => pair.startsWith("__Host-sessao="))).toEqual(session);
});

test("a page of the shop's own host without TLS plants no cookie under the names that the shop reads behind it", async () => {
  const page = await openPage({ url: shop });
  for (const line of linesFor("sessao", "x")) {
    planted = [line.replace("Domain=loja.localhost; ", "")];
    await page.goto(plain);
  }
  // The same host, by TLS.
  await page.goto(sibling.replace("outra.loja.localhost", "app.loja.test"));
  expect(cookiesSent).toContain("sessao=x");
  expect(cookiesSent.filter((pair) => pair.startsWith("__Host-"))).toEqual([]);
});
