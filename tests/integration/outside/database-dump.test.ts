import { globSync, readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import {
  findCorrectablePurchase,
  requestEmailCorrection,
} from "#app/domain/buyer/request-email-correction.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { register } from "#app/domain/identity/register.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { holdForm } from "#app/server/session/held-form.server.ts";
import { addressesOf, soldFile } from "#tests/integration/files/delivery.ts";
import { makeThings } from "#tests/integration/isolation-table.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSale, markPaid } from "#tests/support/make.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { mailsWithTexts, opened, renderMails, stopLinkTo } from "#tests/support/rows/make-mail.ts";
import { EVERY_WAY, longTest } from "#tests/support/run/ways.ts";

/** What a copy of the database opens: nothing beyond what its public ids open by themselves. */
let app: App;

const CONTENT = "conteúdo que só quem pagou recebe";
const CPF = "52998224725";
const BUYER = { name: "Zuleica Quaresma", phone: "21991234567" };
const OWNER = "zuleica-nova@exemplo.com.br";
/** Answers that nobody gets by knowing only the database. */
const PRIVATE = [CONTENT, CPF, "529.982.247-25", "Quaresma", BUYER.phone, "(21) 99123-4567", OWNER];

/** Public parts of addresses. Any other is a secret, also a future one. */
const PUBLIC_PARTS =
  /^(productId|slug|saleId|lineId|paymentId|provider|hookToken|name|key|itemId|uploadId|pictureId|webhookId|pixelId|areaId|newsId)$/;

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Every cookie that the product sets. */
const cookies = globSync("app/server/session/*.ts").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/cookieName\("(\w+)"/g)].map(([, name]) => name!),
);
const routes = await routeTable();
const isGuarded = ({ file }: { file: string }) => /^routes\/(seller|api)\//.test(file);
const hasSecret = (address: string) =>
  [...address.matchAll(/:(\w+)/g)].some(([, name]) => !PUBLIC_PARTS.test(name!));
/** Pages of buyers and mailed links: what they need is in the address or in a cookie. */
const publicRoutes = routes.filter(
  (route) => !isGuarded(route) && (route.file.startsWith("routes/buyer/") || hasSecret(route.address)),
);

let ids: Record<string, string>;
/** When the signed address of the file ends, which its holder would have to guess. */
let until: string;
/** Secrets as their owners hold them. Those that change something when they are used come last. */
let held: Record<string, string>;

/** A shop in which every kind of secret is waiting to be used. */
async function fillShop() {
  const things = await makeThings("Despejo");
  const { seller, product, client, sale: other } = await soldFile(app, new TextEncoder().encode(CONTENT));
  const customer = {
    customerName: BUYER.name,
    customerPhone: BUYER.phone,
    customerDocumentSealed: seal(CPF),
  };
  const email = "zuleica@exemplo.com.br";
  const sale = await makeSale(product, { ...customer, customerEmail: email });
  await markPaid(sale.id);
  await correctEmail(sale.id, OWNER);
  const { line, item, permanent } = await addressesOf(sale.id);
  await renderMails();
  await register({ name: "Nova", email: "nova@exemplo.com.br", password: "uma-senha-sem-par-7" });
  await requestPasswordReset(seller.email);
  await sendPortalLink(OWNER);
  const entered = await app.fetch(
    `/minhas-compras/entrar/${await mailed(OWNER, "/minhas-compras/entrar/")}`,
    { method: "POST" },
  );
  const portal = cookieOf(entered);
  await sendPortalLink(OWNER);
  await requestEmailCorrection(await findCorrectablePurchase(sale.id), "outra@exemplo.com.br");
  const form = new FormData();
  form.set("name", "rascunho");
  await holdForm(new Request(app.url), seller.id, { change: "x", address: "/settings", form });
  const signed = (await app.fetch(permanent, { headers: { Cookie: portal } })).headers.get("location")!;
  const file = await app.fetch(signed);
  expect(await file.text()).toBe(CONTENT);
  const query = new URL(signed, app.url).searchParams;
  until = query.get("ate")!;
  ids = {
    productId: String(product.id),
    slug: "produto",
    saleId: sale.id,
    lineId: line,
    itemId: item,
    provider: "pushinpay",
    other: other.id,
  };
  held = {
    session: tokenIn(client.headers.Cookie),
    "buyer's place": tokenIn(portal),
    "API key": things.key,
    "signature of a file's address": query.get("assinatura")!,
    "key of a mailed link": await mailed(OWNER, "?chave="),
    "confirmation of an address": await mailed("nova@exemplo.com.br", "/confirm-email/"),
    "way into the buyer's place": await mailed(OWNER, "/minhas-compras/entrar/"),
    "link that stops reminders": stopLinkTo(sale.id, email).signature,
    "agreement to another address": await mailed(OWNER, `/purchase-email/${sale.id}/`),
    "new password": await mailed(seller.email, "/reset-password/"),
  };
}

/** What follows `path` in the newest mail to an address. */
async function mailed(to: string, path: string): Promise<string> {
  const mails = await sql`
    select body_sealed from ${mailsWithTexts()} where recipient = ${to} and body_sealed is not null order by created_at desc, id`;
  const found = opened(mails).flatMap(({ payload }) => payload.html.split(path).slice(1));
  if (!found[0]) throw new Error(`no ${path} was mailed to ${to}`);
  return found[0].replace(/["&].*/s, "");
}

/** The first cookie that an answer sets, as a browser sends it back. */
function cookieOf(answer: Response): string {
  return answer.headers.getSetCookie()[0]!.split(";")[0]!;
}

/** The content of one of our cookies. */
function tokenIn(cookie: string): string {
  return JSON.parse(Buffer.from(decodeURIComponent(cookie.split("=")[1]!), "base64").toString());
}

beforeAll(async () => {
  app = await startApp({ worker: 0 });
  await fillShop();
});

/** Every text of every row, whole, and each part of it that could be a token. */
async function strings(): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`;
  const rows = await sql.unsafe<{ row: unknown }[]>(
    tables.map(({ name }) => `select to_jsonb(r) as row from ${name} r`).join(" union all "),
  );
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
    if (typeof value !== "string") return;
    for (const part of [value, ...value.split(/[\s"'<>(),;]+/), ...value.split(/[^\w.-]+/)])
      if (isToken(part)) found.add(part);
  };
  for (const { row } of rows) walk(row);
  return [...found];
}

/** Shorter ones would be guessed without a dump; none of ours is longer; moments and numbers are none. */
function isToken(text: string): boolean {
  return text.length >= 16 && text.length < 1000 && /^[\x21-\x7e]+$/.test(text) && !/^[\d.:T+-]+$/.test(text);
}

/** Bytes of cookies in a request: the server reads 16 kB of headers, the address among them. */
const MAX_COOKIES = 8_000;

type Answer = { status: number; location: string; cookies: string[]; text: string };

/** Headers with this text in every cookie: several, of what a server reads at once, where it is long. */
function cookieHeaders(text: string): { Cookie: string }[] {
  const value = encodeURIComponent(Buffer.from(JSON.stringify(text)).toString("base64"));
  const atOnce = Math.ceil(MAX_COOKIES / value.length);
  return Array.from({ length: Math.ceil(cookies.length / atOnce) }, (_, at) => ({
    Cookie: cookies
      .slice(at * atOnce, (at + 1) * atOnce)
      .map((name) => `${name}=${value}`)
      .join("; "),
  }));
}

/** The answers to this text in place of every secret: in cookies, headers, and addresses. */
async function answers(text: string): Promise<Record<string, Answer>> {
  const said: Record<string, Answer> = {};
  const record = async (name: string, path: string, init: RequestInit = {}) => {
    const answer = await app.fetch(path, init);
    said[name] = {
      status: answer.status,
      location: (answer.headers.get("location") ?? "")
        .replaceAll(encodeURIComponent(text), "")
        .replaceAll(text, ""),
      cookies: answer.headers.getSetCookie().filter((line) => !/=;|Max-Age=0/.test(line)),
      text: answer.headers.get("content-type")?.includes("event-stream")
        ? ""
        : (await answer.text()).replaceAll(text, ""),
    };
    await answer.body?.cancel().catch(() => {});
  };
  const withCookies = async (name: string, path: string, init: RequestInit = {}) => {
    for (const [at, headers] of cookieHeaders(text).entries())
      await record(at === 0 ? name : `${name} +${at}`, path, { ...init, headers });
  };
  await record("bearer", "/api/users/me", { headers: { Authorization: `Bearer ${text}` } });
  await withCookies("session", "/api/users/me");
  await withCookies("desk", "/dashboard");
  await withCookies("held form", "/resume-form?form=x");
  const query = new URLSearchParams({ item: ids.itemId!, chave: text, ate: until, assinatura: text });
  const permanent = new URLSearchParams({ item: ids.itemId!, chave: text });
  for (const { address } of publicRoutes) {
    const path = address.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? text));
    await withCookies(`GET ${address}`, `${path}?${query}`);
    if (address.includes(":lineId")) await withCookies(`GET ${address} permanent`, `${path}?${permanent}`);
    if (!hasSecret(address)) continue;
    const password = "outra-senha-sem-par-9";
    const body = new URLSearchParams({ password, confirmPassword: password });
    await withCookies(`POST ${address}`, path, { method: "POST", body });
  }
  return said;
}

/** Where a text is answered differently from an unknown one. */
async function opens(text: string, unknown: Record<string, Answer>): Promise<string[]> {
  const found = await answers(text);
  return Object.entries(found).flatMap(([name, { status, location, cookies: set, text: said }]) => {
    const plain = unknown[name.replace(/ \+\d+$/, "")]!;
    const isOther =
      status !== plain.status ||
      location !== plain.location.replaceAll(text, "") ||
      set.length !== plain.cookies.length;
    const leaked = PRIVATE.filter(
      (word) => !text.includes(word) && said.includes(word) && !plain.text.includes(word),
    );
    return isOther || leaked.length > 0 ? [`${name}: ${status} ${location} ${leaked}`] : [];
  });
}

/** All rows about anybody: counters of clients and views are left out. */
async function rows(): Promise<unknown> {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('throttles', 'funnel_views') order by 1`;
  return sql.unsafe(
    tables
      .map(({ name }) => `select '${name} ' || md5(to_jsonb(r)::text) as row from ${name} r`)
      .join(" union all "),
  );
}

longTest("no text of the database signs in, opens a link or a file, or changes anything", async () => {
  const unknown = await answers("nobody-has-ever-heard-of-this-0123456789abc");
  expect(Object.keys(unknown).length).toBeGreaterThan(20);
  expect(Object.values(unknown).filter(({ status }) => status >= 500)).toEqual([]);
  const plain = Object.values(unknown).map(({ text }) => text);
  expect(PRIVATE.filter((word) => plain.some((text) => text.includes(word)))).toEqual([]);
  const before = await rows();
  // Ids are public, and so is what is made of them: that none is a secret is left to the long run.
  const left = (await strings()).filter((text) => EVERY_WAY || !ID.test(text)).values();
  const open: Record<string, string[]> = {};
  let attempted = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const text of left) {
        attempted += 1;
        const found = await opens(text, unknown);
        if (found.length > 0) open[text] = found;
      }
    }),
  );
  expect(attempted).toBeGreaterThan(20);
  expect(open).toEqual({});
  expect(await rows()).toEqual(before);
  // Its owner's secret is noticed, so a copy of it in the database would be.
  const unnoticed: string[] = [];
  for (const [name, secret] of Object.entries(held))
    if ((await opens(secret, unknown)).length === 0) unnoticed.push(name);
  expect(unnoticed).toEqual([]);
});
