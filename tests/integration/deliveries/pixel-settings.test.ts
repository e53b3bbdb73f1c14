import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findAdvertisers } from "#app/domain/delivery/advertisers.server.ts";
import { pauseDestination, resumeDestination } from "#app/domain/delivery/change-destination.server.ts";
import { stopDestination } from "#app/domain/delivery/sending/stop-destination.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import {
  createPixel,
  listPixels,
  type PixelFields,
  pixelForm,
  savePixel,
  showPixel,
  testPixel,
} from "#tests/support/rows/destinations.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0 });

const posted = {
  kind: "meta",
  name: "Conta principal",
  pixel_id: "1234567890123456",
  token: "sandbox-EAAG1234567890",
  events: ["sale.paid"],
};
const form = (fields: object = {}): PixelFields => pixelForm.parse({ ...posted, ...fields });

test("a token is stored encrypted and shown as a mask, and saving the mask keeps it", async () => {
  const seller = await makeSeller();
  const id = await createPixel(seller.id, form(), undefined);
  const [row] = await sql`select * from destinations where id = ${id}`;
  expect(JSON.stringify(row)).not.toContain("EAAG1234567890");
  const { token } = await showPixel(seller.id, id);
  expect(token).not.toContain("EAAG123456");
  await savePixel(seller.id, id, form({ token, name: "Outra" }), undefined);
  expect(await showPixel(seller.id, id)).toMatchObject({ name: "Outra", token });
  const elsewhere = form({ token, pixel_id: "999999999" });
  await expect(savePixel(seller.id, id, elsewhere, undefined)).rejects.toMatchObject({ field: "token" });
});

test.each([
  ["meta", "G-AB12CD34EF"],
  ["ga4", "1234567890123456"],
  ["tiktok", "abc"],
  ["kwai", "?"],
])("%s's code is not %s", (kind, pixel_id) => {
  const { error } = pixelForm.safeParse({ ...posted, kind, pixel_id });
  expect(error?.issues.map(({ path }) => path[0])).toEqual(["pixel_id"]);
});

test("events that a service does not know are left out, and Kwai counts no PIX as a purchase", () => {
  const fields = { kind: "kwai", events: ["sale.paid", "sale.refunded", "pix.generated"], counts_pix: true };
  expect(form(fields)).toMatchObject({ events: ["sale.paid"], counts_pix: false });
});

test("a PIX counts as a purchase from when the seller sets it, which survives other changes", async () => {
  const seller = await makeSeller();
  const id = await createPixel(seller.id, form(), undefined);
  const counting = form({ counts_pix: true, events: ["pix.generated", "sale.paid"] });
  await savePixel(seller.id, id, counting, undefined);
  const { countsPixSince } = await showPixel(seller.id, id);
  expect(Date.parse(countsPixSince!)).toBeGreaterThan(Date.now() - 60_000);
  await savePixel(seller.id, id, { ...counting, name: "Outra" }, undefined);
  expect(await showPixel(seller.id, id)).toMatchObject({ name: "Outra", countsPixSince });
  await savePixel(seller.id, id, form(), undefined);
  const ended = await showPixel(seller.id, id);
  expect(ended).toMatchObject({
    countsPixSince: null,
    earlierCounts: [{ since: countsPixSince, until: expect.any(String) }],
  });
  await savePixel(seller.id, id, counting, undefined);
  expect(await showPixel(seller.id, id)).toMatchObject({ earlierCounts: ended.earlierCounts });
});

test("the seller gets a mail about a new pixel and a new code, not about another name", async () => {
  const seller = await makeSeller();
  const mails = async () =>
    (await sql`select id from mails where seller_id = ${seller.id} and kind = 'security-notice'`).length;
  const id = await createPixel(seller.id, form(), undefined);
  await savePixel(seller.id, id, form({ name: "Outro nome" }), undefined);
  expect(await mails()).toBe(1);
  await savePixel(seller.id, id, form({ pixel_id: "999999999" }), undefined);
  expect(await mails()).toBe(2);
});

test("another seller's products are no choice, a pixel stays with its service, and twenty are enough", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(await makeSeller());
  const some = form({ scope: "some", products: [String(product.id)] });
  await expect(createPixel(seller.id, some, undefined)).rejects.toMatchObject({ kind: "not-found" });
  const id = await createPixel(seller.id, form(), undefined);
  const other = form({ kind: "kwai" });
  await expect(savePixel(seller.id, id, other, undefined)).rejects.toMatchObject({ kind: "invalid" });
  for (let n = 0; n < 19; n++) await makePixel(seller, "meta");
  await expect(createPixel(seller.id, form(), undefined)).rejects.toMatchObject({ kind: "conflict" });
});

test("the list shows how each pixel's last event went", async () => {
  const seller = await makeSeller();
  const id = await makePixel(seller, "tiktok");
  expect(await listPixels(seller.id)).toMatchObject([{ last: null }]);
  await testPixel(seller.id, id, "sale.paid", "TEST1");
  expect(await listPixels(seller.id)).toMatchObject([{ last: { event: "sale.paid", status: "sent" } }]);
});

test("creating or changing a pixel needs a recent sign-in", async () => {
  const seller = await makeSeller();
  const id = await makePixel(seller, "meta");
  const { Cookie } = await signedIn(seller);
  await sql`update sessions set authenticated_at = now() - interval '1 hour' where seller_id = ${seller.id}`;
  for (const path of ["/settings/pixels/new?kind=meta", `/settings/pixels/${id}`]) {
    const answer = await app.fetch(path, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie, Origin: app.url },
      body: new URLSearchParams({ ...posted, events: "sale.paid", intent: "save", name: "De longe" }),
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/confirm/);
  }
  expect((await listPixels(seller.id)).map(({ name }) => name)).toEqual(["Pixel meta"]);
});

test("a buyer is asked about the services that are notified of this product, not of others or while stopped", async () => {
  const [seller, stranger] = [await makeSeller(), await makeSeller()];
  const [product, other] = [await makeProduct(seller), await makeProduct(seller)];
  await makePixel(seller, "meta");
  await makePixel(seller, "meta");
  await makePixel(seller, "tiktok", { productIds: [product.id] });
  await makePixel(seller, "kwai", { stoppedAt: new Date(), stoppedReason: "seller" });
  await makePixel(stranger, "ga4");
  const meta = { kind: "meta", name: "à Meta" };
  expect(await findAdvertisers(product.id)).toEqual([meta, { kind: "tiktok", name: "ao TikTok" }]);
  expect(await findAdvertisers(other.id)).toEqual([meta]);
  expect(await findAdvertisers(0)).toEqual([]);
});

/** Stops a destination as a refused attempt does. */
const stop = (pixel: string, sellerId: string, kind = "meta") =>
  db.transaction((tx) => stopDestination(tx, { id: pixel, sellerId, name: "Conta", kind }, "token"));

test("the cached checkouts of a seller follow each change of a pixel, and none of a webhook", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const webhook = await makeWebhook(other, { name: "unasked" });
  const notified: string[] = [];
  const { unlisten } = await sql.listen("storefront", (payload) => void notified.push(payload));
  await pauseDestination("webhook", other.id, webhook);
  await resumeDestination("webhook", other.id, webhook);
  await stop(webhook, other.id, "webhook");
  const pixel = await createPixel(seller.id, form(), undefined);
  await savePixel(seller.id, pixel, form({ name: "Outra" }), undefined);
  await pauseDestination("pixel", seller.id, pixel);
  await resumeDestination("pixel", seller.id, pixel);
  await stop(pixel, seller.id);
  await until(() => notified.length >= 5);
  expect(notified).toEqual(Array(5).fill(`seller:${seller.id}`));
  await unlisten();
});

test("a destination is stopped once, alone, and its own seller hears of it; one that is paused stays so", async () => {
  const seller = await makeSeller({ email: "dona@exemplo.com.br" });
  const [pixel, paused] = [await makePixel(seller, "meta"), await makePixel(seller, "meta")];
  await pauseDestination("pixel", seller.id, paused);
  for (const id of [pixel, pixel, paused]) await stop(id, seller.id);
  const reasons = sql`select id, stopped_reason from destinations where seller_id = ${seller.id}`;
  expect(Object.fromEntries((await reasons).map((row) => [row.id, row.stopped_reason]))).toEqual({
    [pixel]: "token",
    [paused]: "seller",
  });
  const running = await makePixel(seller, "meta");
  await stop(pixel, seller.id);
  expect(await sql`select stopped_at from destinations where id = ${running}`).toEqual([
    { stopped_at: null },
  ]);
  const mails = await sql`select recipient from mails where seller_id = ${seller.id}`;
  expect(mails).toEqual([{ recipient: "dona@exemplo.com.br" }]);
});
