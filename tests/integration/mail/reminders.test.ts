import { beforeAll, expect, test } from "vitest";
import { announcePix } from "#app/domain/pix/announce-pix.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { stopRemindersUrl } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { saveReminders } from "#app/domain/reminder/schedule/save-reminders.server.ts";
import { stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import { buy, lookAt, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { drawMails, waitingJobs } from "#tests/support/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});

let buyers = 0;
async function order(productId = shop.product.id) {
  const email = `bia-lembrete-${++buyers}@exemplo.com.br`;
  const bought = await buy(productId, {
    customer: { name: "Bia <b>", email, phone: null, document: null },
  });
  return { ...bought, email };
}

const TRY = { number: 1, last: false };
const announce = (saleId: string) => announcePix.handle({ saleId }, TRY);
const remind = (saleId: string, number: number) =>
  remindBuyer.handle({ saleId, number, since: Date.now() }, TRY);
async function mailsOf(saleId: string) {
  await drawMails();
  return sql`select * from mails where sale_id = ${saleId} order by created_at`;
}
const remindersFor = async (saleId: string) =>
  (await waitingJobs("remind-buyer")).filter((job) => job.ids.saleId === saleId);

test("making a PIX queues its mail in the same transaction", async () => {
  const { saleId } = await order();
  const jobs = await waitingJobs("announce-pix");
  expect(jobs.some((job) => job.ids.saleId === saleId)).toBe(true);
});

test("the PIX mail has code, QR, the way back and the notice, once an order", async () => {
  const { saleId, email, chargeId } = await order();
  await announce(saleId);
  await announce(saleId);
  const mails = await mailsOf(saleId);
  expect(mails.map((mail) => mail.kind)).toEqual(["pix"]);
  const [charge] = await sql`select pix_code from charges where id = ${chargeId}`;
  const { html, text, attachments, to } = mails[0]!.payload;
  expect(to).toBe(email);
  expect(text).toContain(charge!.pix_code);
  expect(html).toContain(`/checkout/pix/${saleId}`);
  expect(html).toContain("A PUSHIN PAY atua exclusivamente como processadora de pagamentos");
  expect(html).toContain("Bia &lt;b&gt;");
  expect(html).not.toContain("arquivos.exemplo.com.br");
  expect(html).toContain('src="cid:pix"');
  expect(attachments[0]).toMatchObject({ contentId: "pix", contentType: "image/png" });
  expect(Buffer.from(attachments[0].content, "base64").subarray(1, 4).toString()).toBe("PNG");
});

test("three reminders, each set by the one before, at 15 minutes, 2 hours and 24 hours", async () => {
  const { saleId } = await order();
  const began = Date.now();
  await announce(saleId);
  const since = Number((await remindersFor(saleId))[0]!.ids.since);
  expect(since - began).toBeLessThan(5_000);
  for (const [number, minutes] of [
    [1, 15],
    [2, 120],
    [3, 1440],
  ] as const) {
    const job = (await remindersFor(saleId)).find((each) => each.ids.number === number)!;
    expect(Math.round((job.runAt.getTime() - since) / 60_000)).toBe(minutes);
    await remindBuyer.handle({ saleId, number, since }, TRY);
    await remindBuyer.handle({ saleId, number, since }, TRY);
  }
  expect((await mailsOf(saleId)).map((mail) => mail.kind)).toEqual([
    "pix",
    "reminder",
    "reminder",
    "reminder",
  ]);
  expect((await remindersFor(saleId)).map((job) => job.ids.number)).toEqual([1, 2, 3]);
});

test("a reminder brings a PIX that can be paid, though the first one's time is over", async () => {
  const { saleId, chargeId } = await order();
  await sql`update charges set expires_at = now() - interval '1 hour' where id = ${chargeId}`;
  await remind(saleId, 2);
  const charges =
    await sql`select id, pix_code, expires_at from charges where sale_id = ${saleId} order by created_at`;
  expect(charges).toHaveLength(2);
  const [mail] = await mailsOf(saleId);
  expect(mail!.payload.text).toContain(charges[1]!.pix_code);
  expect(charges[1]!.expires_at.getTime()).toBeGreaterThan(Date.now());
});

test("a reminder can be stopped with one click of the mail program", async () => {
  const { saleId, email } = await order();
  await remind(saleId, 1);
  const [mail] = await mailsOf(saleId);
  expect(mail!.payload.headers).toEqual({
    "List-Unsubscribe": `<${stopRemindersUrl(saleId)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  const signature = new URL(stopRemindersUrl(saleId)).pathname.split("/").at(-1);
  await stopReminders(saleId, signature!);
  await remind(saleId, 2);
  expect(await mailsOf(saleId)).toHaveLength(1);
  const [kept] =
    await sql`select o::text as said from reminder_opt_outs o where seller_id = ${shop.seller.id} limit 1`;
  expect(kept!.said).not.toContain(email);
  const again = await buy(shop.product.id, {
    customer: { name: "Bia", email, phone: null, document: null },
    bumpIds: [shop.bump.id],
  });
  await remind(again.saleId, 1);
  expect(await mailsOf(again.saleId)).toHaveLength(0);
});

test("a forged stop link stops nothing", async () => {
  const { saleId } = await order();
  await expect(stopReminders(saleId, "x".repeat(22))).rejects.toMatchObject({ kind: "not-found" });
  await expect(stopReminders("nada", "x")).rejects.toMatchObject({ kind: "not-found" });
});

test("paying ends the reminders, also paying another order of the same product", async () => {
  const one = await order();
  await sql`update sales set status = 'completed', completed_at = now() where id = ${one.saleId}`;
  await remind(one.saleId, 1);
  expect(await mailsOf(one.saleId)).toHaveLength(0);
  const two = await buy(shop.product.id, {
    customer: { name: "Bia", email: one.email, phone: null, document: null },
  });
  await remind(two.saleId, 1);
  expect(await mailsOf(two.saleId)).toHaveLength(0);
});

test("a complaint, a product no longer for sale and a seller without gateway end them", async () => {
  const complained = await order();
  await announce(complained.saleId);
  await sql`update mails set complained_at = now() where sale_id = ${complained.saleId}`;
  await remind(complained.saleId, 1);
  expect(await mailsOf(complained.saleId)).toHaveLength(1);
  const other = await openShop();
  const gone = await order(other.product.id);
  const closed = await order(other.product.id);
  await sql`update products set deactivated_at = now() where id = ${other.product.id}`;
  await remind(gone.saleId, 1);
  await sql`update products set deactivated_at = null where id = ${other.product.id}`;
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${other.seller.id}`;
  await sql`update charges set expires_at = now() where sale_id = ${closed.saleId}`;
  await remind(closed.saleId, 1);
  expect([...(await mailsOf(gone.saleId)), ...(await mailsOf(closed.saleId))]).toHaveLength(0);
});

test("a seller who switched reminders off has none, one who has one has one", async () => {
  const other = await openShop();
  await saveReminders(other.seller.id, []);
  const none = await order(other.product.id);
  await announce(none.saleId);
  expect(await remindersFor(none.saleId)).toHaveLength(0);
  await saveReminders(other.seller.id, [60]);
  const one = await order(other.product.id);
  await announce(one.saleId);
  const [job] = await remindersFor(one.saleId);
  expect(Math.round((job!.runAt.getTime() - Date.now()) / 60_000)).toBe(60);
  await remind(one.saleId, 1);
  await remind(one.saleId, 2);
  expect((await mailsOf(one.saleId)).map((mail) => mail.kind)).toEqual(["pix", "reminder"]);
});

test("a broken key fails orders and tells the seller once an hour, if they want to know", async () => {
  for (const wants of [true, false]) {
    const other = await openShop();
    await sql`update sellers set notify_failed_payment = ${wants} where id = ${other.seller.id}`;
    await app.sandbox.fault({ service: "pushinpay", mode: "status-401", times: 2 });
    await expect(order(other.product.id)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(order(other.product.id)).rejects.toMatchObject({ kind: "unavailable" });
    const told = await sql`select * from mails where seller_id = ${other.seller.id}`;
    expect(told.map((mail) => mail.kind)).toEqual(wants ? ["failed-payment"] : []);
  }
});

test("a PIX cancelled at the provider is told to the seller, an expired one is not", async () => {
  for (const how of ["cancel", "expire"] as const) {
    const other = await openShop();
    const { chargeId, providerId } = await order(other.product.id);
    await app.sandbox[how](providerId);
    await app.sandbox.advance(61);
    await lookAt(chargeId);
    const told = await sql`select kind from mails where seller_id = ${other.seller.id}`;
    expect(told.map((mail) => mail.kind)).toEqual(how === "cancel" ? ["failed-payment"] : []);
  }
});
