import { expect, test } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ worker: 0 });

async function signIn() {
  const seller = await makeSeller();
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const post = (path: string, intent: string) =>
    app.fetch(path, { method: "POST", redirect: "manual", headers, body: new URLSearchParams({ intent }) });
  return { seller, headers, post };
}

test("a delivery that is sent again from an older page of the log is shown there, with its answer", async () => {
  const { seller, headers, post } = await signIn();
  const webhook = await makeWebhook(seller, { name: "older-page" });
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const old = await makeDelivery(seller, webhook, { saleId: sale.id, aboutId: sale.id });
  for (let n = 0; n < 26; n++) await makeDelivery(seller, webhook);
  const [newer] =
    await sql`select min(sequence) as sequence from deliveries where destination_id = ${webhook} and id <> ${old}`;
  const page = paths.destination("webhook", webhook, `before=${newer!.sequence}`);
  const resent = await post(page, `resend:${old}`);
  const location = resent.headers.get("location")!;
  expect(location).toBe(`${page}&entry=${old}#${old}`);
  const html = await (await app.fetch(location, { headers })).text();
  expect(html).toContain(`<li id="${old}"`);
  expect(html).toContain("Resposta recebida");
});

test("pausing and resuming from an older page of the log leads back to that page", async () => {
  const { seller, post } = await signIn();
  const webhook = await makeWebhook(seller, { name: "paused-page" });
  const page = paths.destination("webhook", webhook, "before=7");
  for (const intent of ["pause", "resume"])
    expect((await post(page, intent)).headers.get("location")).toBe(page);
  const first = paths.destination("webhook", webhook);
  expect((await post(first, "pause")).headers.get("location")).toBe(first);
});

test("a sale that UTMify is told again from an older page of its log leads back to that page", async () => {
  const { seller, post } = await signIn();
  await makeTracking(seller);
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const page = paths.trackingDebug("before=1800000000000_00000000-0000-4000-8000-000000000000");
  const resent = await post(page, `retry:${sale.id}`);
  expect(resent.headers.get("location")).toBe(page);
});
