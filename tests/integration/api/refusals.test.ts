import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import * as register from "#app/routes/api/account/register.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { call, refused } from "#tests/support/routes/call.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0, sandbox: false });
});

test("a rate limit reports what is left and when to retry", async () => {
  const body = { name: "Ana", email: `${randomUUID()}@exemplo.com.br`, password: "uma senha comprida" };
  const send = () =>
    call(register, "/api/auth/register", {
      method: "POST",
      headers: { "X-Forwarded-For": newAddress() },
      body,
    });
  const limitsOf = ({ headers }: Response) =>
    ["limit", "remaining"].map((name) => headers.get(`ratelimit-${name}`));
  for (const left of ["4", "3", "2", "1", "0"]) expect(limitsOf(await send())).toEqual(["5", left]);
  const over = await send();
  expect([over.status, ...limitsOf(over)]).toEqual([429, "5", "0"]);
  const seconds = Number(over.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(3500);
  expect(over.headers.get("ratelimit-reset")).toBe(String(seconds));
  expect(await over.json()).toEqual(refused(expect.stringContaining("Tente de novo em")));
});

test("every no below /api has one shape, and names the request", async () => {
  const id = `pedido-${randomUUID()}`;
  const cases: [path: string, init: RequestInit, status: number][] = [
    ["/api/products", {}, 401],
    ["/api/products", { method: "PATCH" }, 405],
    ["/api/sessions", { method: "POST", body: "{" }, 400],
    ["/api/sessions", { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } }, 403],
    ["/api/checkout/products/0", {}, 404],
    ["/api/no/such/address", {}, 404],
    ["/api/no/such/address", { method: "POST", body: "{}" }, 404],
    ["/api/webhooks/nobody/nothing", { method: "POST", body: "{}" }, 404],
  ];
  for (const [path, init, status] of cases) {
    const answer = await app.fetch(path, { ...init, headers: { ...init.headers, "X-Request-Id": id } });
    const refusal = (await answer.json()) as { field?: string };
    const { field } = refusal;
    expect([path, answer.status, refusal]).toEqual([
      path,
      status,
      refused(expect.any(String), { request_id: id, ...(field ? { field } : {}) }),
    ]);
  }
});

test("a body in another encoding is refused: its names would lose their accents", async () => {
  const order = JSON.stringify({ product_id: 1, customer_name: "João" });
  const send = (body: Uint8Array<ArrayBuffer>) =>
    app.fetch("/api/payments/pushinpay", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
  for (const bytes of [Buffer.from(order, "latin1"), Buffer.from(order, "utf16le"), gzipSync(order)]) {
    const answer = await send(new Uint8Array(bytes));
    expect([answer.status, await answer.json()]).toEqual([400, refused(expect.stringContaining("UTF-8"))]);
  }
  const marked = await send(new Uint8Array(Buffer.from(`\ufeff${order}`)));
  expect(await marked.text()).not.toContain("UTF-8");
});
