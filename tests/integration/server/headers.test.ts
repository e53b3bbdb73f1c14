import { readdirSync } from "node:fs";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { makeThings, type Things } from "#tests/integration/isolation-table.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { signedIn } from "#tests/support/make.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { longTest, oneOf } from "#tests/support/run/ways.ts";

const routes = await routeTable();
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

let app: App;
let things: Things;
let cookie: Record<string, string>;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
  things = await makeThings("Ana");
});

// Each anew: signing out is one of the routes.
beforeEach(async () => {
  cookie = await signedIn(things.seller);
});

/** Where a row of the table answers with something of Ana's. */
function at(address: string): string {
  return fillAddress(address, {
    productId: String(things.product.id),
    slug: String(things.product.id),
    saleId: things.sale.id,
    paymentId: things.charge.id,
    provider: "mercadopago",
  });
}

/** Requests and disconnects: an event stream would never end. */
async function headersOf(path: string, init: RequestInit = {}, of = app): Promise<Response> {
  const answer = await of.fetch(path, init);
  await answer.body?.cancel();
  return answer;
}

function directives(answer: Response): Record<string, string> {
  const policy = answer.headers.get("content-security-policy") ?? "";
  return Object.fromEntries(
    policy.split("; ").map((each) => [each.split(" ")[0], each.split(" ").slice(1).join(" ")]),
  );
}

function expectHeaders(answer: Response, label: string) {
  const { headers } = answer;
  // Two headers of a name are read here as one with a comma.
  expect(headers.get("x-content-type-options"), label).toBe("nosniff");
  expect(headers.get("permissions-policy"), label).toBe("camera=(), microphone=(), geolocation=()");
  expect(headers.get("cross-origin-opener-policy"), label).toBe("same-origin");
  expect(headers.get("referrer-policy"), label).toMatch(
    /^(same-origin|strict-origin-when-cross-origin|no-referrer)$/,
  );
  expect(headers.get("strict-transport-security"), label).toBe(null);
}

test.each(routes.map(({ address }, nth) => ({ address, methods: new Set(["GET", ...oneOf(METHODS, nth)]) })))(
  "$address answers every method with a policy and every header",
  async ({ address, methods }) => {
    for (const method of methods) {
      const answer = await app.fetch(at(address), { method, headers: method === "GET" ? cookie : {} });
      await expectOwnNonces(answer, address);
      const label = `${method} ${address} ${answer.status}`;
      expectHeaders(answer, label);
      const policy = directives(answer);
      expect(policy["default-src"], label).toBe("'none'");
      expect(policy["base-uri"], label).toBe("'none'");
      expect(policy["frame-ancestors"], label).toMatch(/^'(none|self)'$/);
      expect(policy["form-action"], label).toMatch(/^'(none|self)'/);
      expect(policy["script-src"] ?? "", label).not.toMatch(/unsafe|\*|data:|https?:/);
      expect(answer.headers.get("x-frame-options"), label).toBe(
        policy["frame-ancestors"] === "'self'" ? "SAMEORIGIN" : "DENY",
      );
      expect(answer.headers.get("cross-origin-resource-policy"), label).toBe("same-origin");
      expect(answer.headers.get("cache-control"), label).toMatch(/no-store|no-cache|must-revalidate/);
    }
  },
);

test("an address that is a secret is sent to no other site, nor where its visitor came from", async () => {
  const secret = routes.filter(({ address }) =>
    /:(token|signature|saleId|lineId|paymentId|hookToken)/.test(address),
  );
  expect(secret.length).toBeGreaterThan(10);
  for (const { address } of secret) {
    const answer = await headersOf(at(address), { headers: cookie });
    expect(answer.headers.get("referrer-policy"), address).toMatch(/^(same-origin|no-referrer)$/);
  }
  const shop = await headersOf(`/checkout/${things.product.id}`);
  expect(shop.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
});

/** Of the documents so far. */
const nonces = new Set<string>();

/** Reads an answer, and expects the inline scripts of a document to carry its own nonce. @returns whether it is one */
async function expectOwnNonces(answer: Response, address: string): Promise<boolean> {
  if (!answer.headers.get("content-type")?.startsWith("text/html")) {
    // An event stream would never end.
    await answer.body?.cancel();
    return false;
  }
  const html = await answer.text();
  if (!html.includes("__remixContext")) return false;
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy")!)![1]!;
  expect(nonces.has(nonce), address).toBe(false);
  nonces.add(nonce);
  const inline = [...html.matchAll(/<script\b([^>]*)>/g)].filter(([, given]) => !given!.includes("src="));
  expect(inline.length, address).toBeGreaterThan(2);
  for (const [, given] of inline) expect(given, address).toContain(`nonce="${nonce}"`);
  expect(html, address).not.toMatch(/\son\w+=|javascript:/);
  return true;
}

test("each document's inline scripts carry its own nonce, for a stranger, too", async () => {
  // As signed in each is read above.
  const pages = routes.filter(({ file }) => /^routes\/(site|auth|seller)\//.test(file));
  let documents = 0;
  for (const { address } of [...pages, { address: "/no/such/page" }])
    if (await expectOwnNonces(await app.fetch(at(address)), address)) documents++;
  expect(documents).toBeGreaterThan(5);
  expect(nonces.size).toBeGreaterThan(40);
});

test("static files are sent with their own types", async () => {
  const built = readdirSync("public/build", { recursive: true, encoding: "utf8" });
  const files = ["css", "js"].map((ending) => `/build/${built.find((name) => name.endsWith(`.${ending}`))}`);
  for (const path of [...files, "/favicon.svg", "/demo/curso-de-violao.pdf", "/build/none.js", "/none.svg"]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await headersOf(path, { method });
      expectHeaders(answer, `${method} ${path}`);
      expect(answer.status, path).toBe(path.includes("none") ? 404 : 200);
    }
  }
});

test("a file for programs, JSON, rows of data and events carry the headers too", async () => {
  const kinds: [string, RegExp][] = [
    ["/reports/export", /^text\/csv/],
    ["/api/products", /^application\/json/],
    ["/products.data", /^text\/x-script/],
    [`/checkout/pix/${things.sale.id}/events`, /^text\/event-stream/],
  ];
  for (const [path, kind] of kinds) {
    const answer = await headersOf(path, { headers: cookie });
    expect(answer.headers.get("content-type"), path).toMatch(kind);
    expectHeaders(answer, path);
    expect(answer.headers.get("cache-control"), path).toMatch(/no-store|no-cache/);
  }
});

test("rows of a seller's data are stored by no cache but the browser's own, which asks again", async () => {
  for (const path of ["/dashboard.data", "/products.data", "/settings.data"]) {
    const answer = await headersOf(path, { headers: cookie });
    expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([
      ...[path, 200],
      "private, no-cache",
    ]);
  }
});

longTest("under https browsers are told to use only that", async () => {
  const port = new URL(app.url).port;
  const secure = await startApp({ worker: 0, sandbox: false, env: { APP_URL: `https://localhost:${port}` } });
  for (const path of ["/login", "/healthz", "/favicon.svg", "/nowhere", `/checkout/${things.product.id}`])
    expect((await headersOf(path, {}, secure)).headers.get("strict-transport-security"), path).toBe(
      "max-age=31536000",
    );
});
