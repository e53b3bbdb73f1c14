import { randomUUID } from "node:crypto";
import { request as ask } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { everyNth } from "#tests/support/run/ways.ts";

let app: App;
let paths: string[];

beforeEach(async () => {
  const seller = await makeSeller();
  const gateway = await makeGateway(seller);
  const product = await makeProduct(seller);
  const [sale, paid] = [await makeSale(product), await makeSale(product, { status: "completed" })];
  await makeCharge(sale);
  paths = [
    `/checkout/${product.id}`,
    `/checkout/pix/${sale.id}`,
    `/thank-you/${paid.id}`,
    `/upsell/${product.id}?sale=${paid.id}`,
    "/thank-you",
    "/minhas-compras",
    "/reembolso",
    `/purchase-email/${paid.id}`,
    "/minhas-compras/entrar/x",
    "/minhas-compras/meus-dados",
    `/minhas-compras/${paid.id}`,
    `/reminders/${sale.id}/x`,
    "/login",
    "/register",
    "/forgot-password",
    "/confirm-email",
    "/reset-password/x",
    "/auth/start",
    "/theme",
    "/api/payments/pushinpay",
    `/api/webhooks/pushinpay/${gateway.hookToken}`,
  ];
  app = await sharedApp();
});

/** Sends that many bytes, in chunks if no length is announced. @returns the status */
function send(
  path: string,
  bytes: number,
  announced: boolean,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  const isApi = path.startsWith("/api/");
  return new Promise((resolve, reject) => {
    const requested = ask(new URL(path, app.url), {
      method: "POST",
      // Each has a connection of its own: the one before may be ending.
      agent: false,
      headers: {
        "Content-Type": isApi ? "application/json" : "application/x-www-form-urlencoded",
        ...(announced ? { "Content-Length": bytes } : {}),
        ...headers,
      },
    });
    requested.on("error", reject);
    requested.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode)));
    const piece = Buffer.alloc(16 * 1024, "a");
    for (let left = bytes; left > 0; left -= piece.length) requested.write(piece.subarray(0, left));
    requested.end();
  });
}

test("strangers may send 64 KB: more is 413, whether its length was announced or not", async () => {
  for (const path of paths) {
    for (const announced of [true, false]) {
      const atMost = await send(path, 64 * 1024, announced);
      expect(atMost, path).not.toBe(413);
      expect(atMost, path).toBeLessThan(500);
      expect(await send(path, 64 * 1024 + 1, announced), path).toBe(413);
      if (everyNth(4, paths).includes(path)) expect(await send(path, 1024 * 1024, announced), path).toBe(413);
    }
  }
});

test("an order under an idempotency key has the same limit: a longer one is refused or cut, and never waits", async () => {
  for (const announced of [true, false]) {
    const order = (bytes: number) =>
      send("/api/payments/pushinpay", bytes, announced, { "Idempotency-Key": randomUUID() });
    expect(await order(64 * 1024 + 1)).toBe(413);
    // More than is read of a body that is refused: whoever sends it may see the connection end.
    expect([413, "cut"]).toContain(await order(6 * 1024 * 1024).catch(() => "cut"));
  }
});

test("the form of a buyer still arrives whole", async () => {
  const body = new URLSearchParams({ email: "ninguem@exemplo.com.br" });
  const answer = await app.fetch("/thank-you", { method: "POST", body });
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining("Confira o seu e-mail"),
  ]);
});
