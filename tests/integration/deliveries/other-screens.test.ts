import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ worker: 0 });

const SCREENS = ["/settings/webhooks", "/settings/pixels", "/settings/member-areas"];
const API = "/api/settings/webhooks";
const SPAN = { from: "2020-01-01", to: "2100-01-01", all: "on" };

/** A seller whose UTMify was notified of a sale. */
async function connected() {
  const seller = await makeSeller();
  await makeTracking(seller);
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const [row] = await sql`select id from destinations where seller_id = ${seller.id} and kind = 'utmify'`;
  const id = row!.id as string;
  const deliveryId = await makeDelivery(seller, id, { saleId: sale.id, aboutId: sale.id, status: "sent" });
  const headers = await signedIn(seller);
  const stateOf = () => sql`select d, o from destinations d inner join deliveries o on o.destination_id = d.id
    where d.id = ${id}`;
  return { seller, id, newsId: deliveryId, headers, standing: stateOf };
}

test("no screen of the other destinations shows, changes or resends UTMify's deliveries", async () => {
  const { id, newsId: deliveryId, headers, standing: stateOf } = await connected();
  const before = await stateOf();
  for (const screen of SCREENS) {
    expect(await (await app.fetch(screen, { headers })).text()).not.toContain(id);
    expect((await app.fetch(`${screen}/${id}`, { headers })).status, screen).toBe(404);
    for (const fields of [
      ...["pause", "resume", "delete", `resend:${deliveryId}`].map((intent) => ({ intent })),
      { intent: "resend-span", ...SPAN },
      { intent: "test", event: "sale.paid" },
    ]) {
      const body = new URLSearchParams(fields);
      const answer = await app.fetch(`${screen}/${id}`, { method: "POST", headers, body });
      expect([screen, fields.intent, answer.status]).toEqual([screen, fields.intent, 404]);
    }
  }
  expect(await stateOf()).toEqual(before);
});

test("no address of the webhooks' API shows, changes or resends UTMify's deliveries", async () => {
  const { id, newsId: deliveryId, headers, standing: stateOf } = await connected();
  const before = await stateOf();
  const hook = { name: "W", url: "https://example.com/w", events: ["sale.paid"] };
  const span = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", all: true };
  expect(await (await app.fetch(API, { headers })).json()).toEqual([]);
  for (const [method, path, body] of [
    ["GET", ""],
    ["PUT", "", { ...hook, is_active: false }],
    ["DELETE", ""],
    ["POST", "/secret"],
    ["POST", "/test", { event: "sale.paid" }],
    ["GET", "/log"],
    ["POST", `/log/${deliveryId}/replay`],
    ["POST", "/replay", span],
  ] as const) {
    const answer = await app.fetch(`${API}/${id}${path}`, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect([method, path, answer.status]).toEqual([method, path, 404]);
  }
  expect(await stateOf()).toEqual(before);
});

test("a webhook is sent nothing again by the screen of another kind, nor is one that does not exist", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const id = await makeWebhook(seller, { name: `doors-${randomUUID()}` });
  const deliveryId = await makeDelivery(seller, id);
  for (const at of [`/settings/pixels/${id}`, `/settings/member-areas/${id}`, "/settings/webhooks/nonsense"])
    for (const fields of [{ intent: `resend:${deliveryId}` }, { intent: "resend-span", ...SPAN }]) {
      const body = new URLSearchParams(fields);
      const answer = await app.fetch(at, { method: "POST", headers, body });
      expect([at, fields.intent, answer.status]).toEqual([at, fields.intent, 404]);
    }
  expect(await sql`select status from deliveries where id = ${deliveryId}`).toEqual([{ status: "refused" }]);
});

test("the log of a stopped destination does not promise that the next sale will appear in it", async () => {
  const seller = await makeSeller();
  const id = await makeWebhook(seller, { name: `log-${randomUUID()}` });
  const headers = await signedIn(seller);
  const log = async () => (await app.fetch(`/settings/webhooks/${id}`, { headers })).text();
  expect(await log()).toContain("Assim que algo acontecer com uma venda, o aviso aparece aqui.");
  await sql`update destinations set stopped_at = now(), stopped_reason = 'seller' where id = ${id}`;
  expect(await log()).toContain("Enquanto está pausado, nenhuma venda é avisada.");
});
