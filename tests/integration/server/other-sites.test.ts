import { request } from "node:http";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Attempt, isolation, makeThings, type Things } from "#tests/integration/isolation-table.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { signedIn } from "#tests/support/make.ts";
import { refused } from "#tests/support/routes/call.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { oneOf } from "#tests/support/run/ways.ts";

const APP_URL = "https://loja.localhost";
const TEXT = "Este pedido veio de outro site e foi recusado";
/** Meant to be posted to from anywhere: each is opened by a secret in its address. */
const OPEN = [
  "/api/webhooks/:provider/:hookToken",
  "/api/webhooks/resend/:hookToken",
  "/reminders/:saleId/:signature",
];

/** The headers of a request that another site's page sends. */
const FOREIGN: Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "cross-site", Origin: APP_URL },
  { "Sec-Fetch-Site": "same-site", Origin: "https://other.localhost" },
  // A sandboxed frame, and values that no browser sends.
  { Origin: "null" },
  { Origin: "garbage" },
];

const routes = await routeTable();
let app: App;
let ana: Things;
let cookie: Record<string, string>;

beforeAll(async () => {
  app = await startApp({ worker: 0, env: { APP_URL } });
  ana = await makeThings("Ana");
});

beforeEach(async () => {
  // The shop is under https, so its cookies have the prefix of that.
  cookie = { Cookie: `__Host-${(await signedIn(ana.seller)).Cookie}` };
});

/**
 * What would change something of Ana's if it were accepted; for rows of the table that attempt nothing, a small POST.
 */
function attemptsAt(address: string): Attempt[] {
  const row = isolation[address];
  const attempted = typeof row === "function" ? row(ana, ana) : [];
  const changing = attempted.filter(({ method = "GET" }) => method !== "GET");
  return changing.length > 0 ? changing : [{ method: "POST", form: { intent: "delete", theme: "dark" } }];
}

function send(address: string, attempt: Attempt, headers: Record<string, string>): Promise<Response> {
  const { method = "POST", params, query = "", json, form } = attempt;
  const path = fillAddress(address, { saleId: ana.sale.id, productId: String(ana.product.id), ...params });
  return app.fetch(path + query, {
    method,
    headers: { ...headers, ...(json ? { "Content-Type": "application/json" } : {}) },
    body: json ? JSON.stringify(json) : new URLSearchParams(form),
  });
}

/** Every row of every table but the visits of sessions. */
async function everything(): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const each = tables.map(
    ({ name }) =>
      `select '${name} ' || (to_jsonb(r) - 'last_used_at' - 'expires_at')::text as row from "${name}" r`,
  );
  return (await sql.unsafe<{ row: string }[]>(each.join(" union all "))).map(({ row }) => row).sort();
}

/** Lines that show a bug: ours of that level, and every line that is not ours. */
function troubles(): string[] {
  return app.web[0]!.lines.filter((line) => {
    if (!line.startsWith("{")) return !line.startsWith("[remix-serve]");
    return JSON.parse(line).level >= 50;
  });
}

test("a post from another site's page is refused at every address, changes nothing and logs no error", async () => {
  const before = await everything();
  let [posted, refused] = [0, 0];
  for (const { address } of routes.filter((route) => !OPEN.includes(route.address))) {
    for (const attempt of attemptsAt(address)) {
      for (const foreign of oneOf(FOREIGN, posted++)) {
        const answer = await send(address, attempt, { ...cookie, ...foreign });
        const label = `${attempt.method} ${address} ${JSON.stringify(foreign)}`;
        const text = await answer.text();
        expect(answer.status, label).toBe(403);
        expect(text, label).toContain(TEXT);
        expect(answer.headers.getSetCookie(), label).toEqual([]);
        expect(answer.headers.get("content-type"), label).toMatch(
          address.startsWith("/api/") ? /^application\/json/ : /^text\/html/,
        );
        refused++;
      }
    }
  }
  expect(posted).toBeGreaterThan(150);
  expect(refused).toBe(posted * oneOf(FOREIGN, 0).length);
  expect(await everything()).toEqual(before);
  expect(troubles()).toEqual([]);
});

test("the same applies to a page's own way to post, as data", async () => {
  for (const address of ["/settings", "/login", "/products"]) {
    const body = new URLSearchParams({ intent: "delete", id: String(ana.product.id) });
    const headers = { ...cookie, Origin: "https://evil.example" };
    const answer = await app.fetch(`${address}.data`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toEqual([403, refused(TEXT)]);
  }
  expect(troubles()).toEqual([]);
});

test("our own pages, programs with a key and outside services are let in", async () => {
  const own: Record<string, string>[] = [
    {},
    { "Sec-Fetch-Site": "same-origin", Origin: APP_URL },
    // A page without a referrer states it.
    { "Sec-Fetch-Site": "same-origin", Origin: "null" },
    { "Sec-Fetch-Site": "none" },
    // An old browser; the proxy in front uses another host than the browser did.
    { Origin: APP_URL },
  ];
  const before = await everything();
  for (const headers of own) {
    const label = JSON.stringify(headers);
    const login = await app.fetch("/login", {
      method: "POST",
      headers,
      body: new URLSearchParams({ email: "quem@exemplo.com.br", password: "errada-errada" }),
    });
    expect(login.status, label).toBe(401);
    const form = { intent: "deactivate", id: String(ana.product.id) };
    const dashboard = await send("/products", { form }, { ...cookie, ...headers });
    expect([dashboard.status, dashboard.headers.get("location")], label).toEqual([302, "/products"]);
    const data = await app.fetch("/products.data", {
      method: "POST",
      headers: { ...cookie, ...headers },
      body: new URLSearchParams(form),
    });
    expect(data.status, label).toBeLessThan(400);
    await data.body?.cancel();
  }
  // The requests refused above would have changed something.
  expect(await everything()).not.toEqual(before);
  const foreign = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  const key = { Authorization: `Bearer ${ana.key}`, ...foreign };
  expect((await send("/api/checkout/customization", { json: { brand_name: "Loja" } }, key)).status).toBe(200);
  for (const address of OPEN)
    expect([401, 404, 403], address).toContain((await send(address, { form: {} }, foreign)).status);
  for (const address of OPEN)
    expect(await (await send(address, { form: {} }, foreign)).text(), address).not.toContain(TEXT);
  expect(troubles()).toEqual([]);
});

test("no spelling of an address leads past the refusal", async () => {
  const headers = { ...cookie, Origin: "https://evil.example" };
  for (const path of [
    "/api/webhooks/../../logout",
    "/api/webhooks/pushinpay/%2e%2e/%2e%2e/%2E%2e/logout",
    "/reminders/a/b/../../../logout",
    "/LOGOUT",
    "/logout/",
    "/api/webhooks/pushinpay/x?/../../../logout",
  ]) {
    const answer = await rawly({
      method: "POST",
      path,
      headers: { Host: new URL(app.url).host, ...headers },
    });
    expect(answer.status === 403 || path.includes("?"), `${path} ${answer.status}`).toBe(true);
  }
  expect((await app.fetch("/api/users/me", { headers: cookie })).status).toBe(200);
});

test("an address or a host that is unreadable or forged logs no error", async () => {
  const host = new URL(app.url).host;
  const requests: [path: string, headers: Record<string, string>, answers?: number][] = [
    ["/checkout/s/%zz", { Host: host }],
    ["http://evil.example/login", { Host: host }],
    ["/login", { Host: "evil example" }],
    ["/login", { Host: "localhost:99999999" }],
    ["/login?returnTo=%zz", { Host: host }, 200],
    ["/login", { Host: host, "X-Forwarded-Host": "localhost:99999999" }, 200],
    ["/login", { Host: host, "X-Forwarded-Host": "evil example" }, 200],
    // The pipeline's own headers have no effect when sent from outside.
    ["/login", { Host: host, "X-Refused": "cross-site" }, 200],
    ["/refused", { Host: host, "X-Refused": "cross-site" }, 404],
  ];
  for (const [path, headers, answers] of requests) {
    const { status, body } = await rawly({ path, headers });
    const label = `${path} ${JSON.stringify(headers)} ${status}`;
    if (answers) expect(status, label).toBe(answers);
    expect(status, label).toBeLessThan(500);
    expect(body, label).toContain("</html>");
  }
  expect(troubles()).toEqual([]);
});

test("a long body that is refused is still answered, on a connection that stays open", async () => {
  const body = "x".repeat(3 * 1024 * 1024);
  for (let i = 0; i < 3; i++) {
    const headers = { Origin: "https://evil.example", "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await app.fetch("/settings", { method: "POST", headers, body });
    expect([answer.status, (await answer.text()).includes(TEXT)]).toEqual([403, true]);
  }
});

/** Unlike `fetch`: an address as spelled, and any host. */
function rawly(options: { method?: string; path: string; headers: Record<string, string> }) {
  return new Promise<{ status: number; body: string }>((done, fail) => {
    const { hostname, port } = new URL(app.url);
    const requests = request({ hostname, port, setHost: false, ...options }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text) => (body += text));
      answer.on("end", () => done({ status: answer.statusCode!, body }));
    });
    requests.on("error", fail).end();
  });
}
