import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { mailedToken } from "#tests/integration/buyer/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";

const PASSWORD = "senha-de-teste-1";

/** Every cookie the product sets, by its plain name, as the browser receives it. */
async function cookiesOf(app: App): Promise<Map<string, string>> {
  const email = `vera-${Math.random()}@exemplo.com.br`;
  const seller = await makeSeller({ email, passwordHash: await hashPassword(PASSWORD) });
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const browser = visitor(app.url);
  const sale = await makeSale(product, { status: "completed" });
  await sendPortalLink(sale.customerEmail);
  const answers = [
    await browser.json("/api/sessions", { email, password: PASSWORD }),
    await browser.post("/products", { intent: "deactivate", id: String(product.id) }),
    await browser.post("/products", { intent: "activate", id: String(product.id) }),
    await browser.get("/settings"),
    await browser.post("/theme", { theme: "dark" }),
    await visitor(app.url).post(`/minhas-compras/entrar/${await mailedToken(sale.customerEmail)}`, {}),
    await visitor(app.url).post("/auth/start", { returnTo: "/settings" }),
    await visitor(app.url).post(`/checkout/${product.id}`, {
      customer_name: "Bia Compradora",
      customer_email: "bia@exemplo.com.br",
      customer_email_confirmation: "bia@exemplo.com.br",
      customer_phone: "11987654321",
      customer_document: "529.982.247-25",
    }),
  ];
  const me = await browser.get("/api/users/me");
  expect(await me.json()).toMatchObject({ email });
  await sql`update sessions set expires_at = now() where seller_id = ${seller.id}`;
  answers.push(await browser.post("/settings", { intent: "profile", name: "Vera" }));
  const lines = answers.flatMap((answer) => answer.headers.getSetCookie());
  // One attempt to sign in with the provider has one cookie: its state is in its name.
  return new Map(lines.map((line) => [/^(?:__Host-|__Secure-)?([a-z]+)/.exec(line)![1]!, line]));
}

/** As the code names them: a new one without a row here fails the test. */
const NAMES = [
  "aviso",
  "comprador",
  "compras",
  "conta",
  "interrompido",
  "oauth",
  "pedido",
  "sessao",
  "tema",
  "volta",
];

test("under https each cookie's name keeps other hosts and pages without TLS from planting it", async () => {
  const replica = { DATABASE_REPLICA_URL: "postgres://nobody@127.0.0.1:1/none" };
  const app = await startApp({ worker: 0, env: { APP_URL: "https://loja.localhost", ...replica } });
  const cookies = await cookiesOf(app);
  // The first one is set only where there is a replica.
  expect([...cookies.keys()].sort()).toEqual(["alterado", ...NAMES]);
  for (const [name, line] of cookies) {
    expect(line).toMatch(/; Secure/i);
    expect(line).toMatch(/; HttpOnly/i);
    expect(line).not.toMatch(/; Domain/i);
    // No browser accepts it without these, nor from another host.
    expect(line, name).toMatch(/^__Host-.*; Path=\/(;|$)/i);
  }
  expect(cookies.get("sessao")).toMatch(/^__Host-sessao=/);
});

longTest("under http, where browsers refuse the prefix, the names are plain", async () => {
  const app = await startApp({ worker: 0 });
  const cookies = await cookiesOf(app);
  expect([...cookies.keys()].sort()).toEqual(NAMES);
  for (const line of cookies.values()) {
    expect(line).not.toMatch(/^__|; Secure/i);
    expect(line).toMatch(/; HttpOnly/i);
  }
});

test("no cookie is made without its name's prefix", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const made = files.flatMap((file) => [
    ...readFileSync(join("app", file), "utf8").matchAll(/createCookie\(\s*([^,]+)/g),
  ]);
  expect(made.length).toBeGreaterThan(3);
  for (const [, name] of made) expect(name).toMatch(/^cookieName\(/);
});
