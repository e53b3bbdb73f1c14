import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { resendDeliveries, resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { sendSubject } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import * as replayOne from "#app/routes/api/settings/webhooks/replay-one.ts";
import * as destinationPage from "#app/routes/seller/settings/destinations/destination.tsx";
import { holdLock, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

async function soldBy(name: string) {
  const seller = await makeSeller();
  const { id: saleId } = await makeSale(await makeProduct(seller), { status: "completed" });
  return { seller, saleId, webhook: await makeWebhook(seller, { name }) };
}

/** Those of some deliveries that are queued. */
async function queuedOf(ids: string[]): Promise<string[]> {
  const rows =
    await sql`select id from deliveries where id in ${sql(ids)} and status = 'queued' order by sequence`;
  return rows.map(({ id }) => id);
}

test("a period's failed sales are sent again, without those of other periods and webhooks, and without tests", async () => {
  const { seller, saleId, webhook } = await soldBy("resend-span");
  const other = await makeWebhook(seller, { name: "resend-other" });
  const made = (createdAt: Date, fields: Parameters<typeof makeDelivery>[2] = {}, to = webhook) =>
    makeDelivery(seller, to, { saleId, createdAt, ...fields });
  const failed = [await made(ago(2)), await made(ago(2), { status: "dropped", reason: "stopped" })];
  const sent = await made(ago(2), { status: "sent", reason: "taken" });
  const left = [await made(ago(4)), await made(ago(1)), await made(ago(2), { saleId: null })];
  left.push(await made(ago(2), {}, other));
  const span = { from: ago(3), to: ago(1.5) };
  const notified: string[] = [];
  const { unlisten } = await sql.listen("due", (payload) => void notified.push(payload));
  const none = { from: ago(9), to: ago(8), all: true };
  expect(await resendDeliveries("webhook", seller.id, webhook, none)).toBe(0);
  expect(await resendDeliveries("webhook", seller.id, webhook, { ...span, all: false })).toBe(2);
  expect(await queuedOf([...failed, sent, ...left])).toEqual(failed);
  await until(() => notified.includes("deliveries"));
  // Where nothing was queued nobody is woken.
  expect(notified).toEqual(["deliveries"]);
  await unlisten();
  await sql`update deliveries set status = 'refused' where destination_id = ${webhook} and status = 'queued'`;
  expect(await resendDeliveries("webhook", seller.id, webhook, { ...span, all: true })).toBe(3);
  expect(await queuedOf([...failed, sent, ...left])).toEqual([...failed, sent]);
});

test("a period that ends before it begins is refused with what is wrong, not with nothing to send", async () => {
  const { seller, saleId, webhook } = await soldBy("resend-backwards");
  const refused = await makeDelivery(seller, webhook, { saleId });
  const headers = await signedIn(seller);
  const today = dayOf(new Date());
  const press = (from: string, to: string) =>
    call(destinationPage, paths.destination("webhook", webhook), {
      ...{ method: "POST", headers, params: { webhookId: webhook } },
      body: new URLSearchParams({ intent: "resend-span", from, to }),
    });
  const backwards = await press(today, dayOf(ago(48)));
  expect([backwards.status, await backwards.json()]).toMatchObject([
    400,
    { testResult: { message: "Informe o primeiro e o último dia, nesta ordem." } },
  ]);
  expect(await queuedOf([refused])).toEqual([]);
  expect((await press(today, today)).status).toBe(302);
  expect(await queuedOf([refused])).toEqual([refused]);
});

test.each([false, true])(
  "more than a thousand are sent again, each once, also the parts of one at the thousandth place: all %s",
  async (all) => {
    const { seller, saleId, webhook } = await soldBy("resend-many");
    const first = await makeDelivery(seller, webhook, { saleId, createdAt: ago(2) });
    const copy = (count: number, columns: string, part: string) =>
      sql.unsafe(
        `insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, created_at, status, part${columns ? ", sequence" : ""})
        select destination_id, seller_id, sale_id, subject_id, gen_random_uuid(), event, created_at, $2, ${part}${columns}
        from deliveries, generate_series(1, ${count}) n where id = $1`,
        [first, all ? "sent" : "refused"],
      );
    await copy(997, "", "0");
    await copy(5, ", (select max(sequence) + 1 from deliveries)", "n");
    const span = { from: ago(3), to: ago(1), all };
    expect(await resendDeliveries("webhook", seller.id, webhook, span)).toBe(1003);
    const [left] = await sql`select count(*)::int as n from deliveries
      where destination_id = ${webhook} and status <> 'queued'`;
    expect(left!.n).toBe(0);
  },
);

test("what is being sent at this moment, or is no delivery of this webhook, is not sent again", async () => {
  const { seller, saleId, webhook } = await soldBy("resend-one");
  const sending = { status: "queued", leasedUntil: new Date(Date.now() + HOUR) } as const;
  const busy = await makeDelivery(seller, webhook, { saleId, ...sending });
  const others = await makeDelivery(seller, await makeWebhook(seller, { name: "resend-two" }), { saleId });
  const resend = (id: string) => resendDelivery("webhook", seller.id, webhook, id);
  await expect(resend(busy)).rejects.toMatchObject({ kind: "conflict" });
  for (const id of [others, randomUUID(), "nonsense"])
    await expect(resend(id)).rejects.toMatchObject({ kind: "not-found", message: "Envio não encontrado" });
  expect(await queuedOf([others])).toEqual([]);
  const held = await makeDelivery(seller, webhook, { saleId });
  const { release } = await holdLock((tx) => tx`select from deliveries where id = ${held} for update`);
  let end = "";
  const ended = resend(held).then(
    () => (end = "queued"),
    ({ kind }) => (end = kind),
  );
  const isLockedOut = async () => {
    const [row] = await sql`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row!.n > 0;
  };
  await until(async () => end !== "" || (await isLockedOut()));
  const whileHeld = end;
  await release();
  await ended;
  expect(whileHeld).toBe("conflict");
  // The worker that was sending it died.
  await sql`update deliveries set leased_until = now() - interval '1 second' where id = ${busy}`;
  expect(await resend(busy)).toEqual({ destinationId: webhook, subjectId: saleId });
});

test("nothing is sent again to another seller's webhook, by another screen, or once it was deleted or paused", async () => {
  const { seller, saleId, webhook } = await soldBy("resend-none");
  const id = await makeDelivery(seller, webhook, { saleId });
  const stranger = await makeSeller();
  const missing = { kind: "not-found" };
  const resend = (family: "webhook" | "pixel", sellerId: string) =>
    resendDelivery(family, sellerId, webhook, id);
  await expect(resend("webhook", stranger.id)).rejects.toMatchObject(missing);
  await expect(resend("pixel", seller.id)).rejects.toMatchObject(missing);
  await sql`update destinations set stopped_at = now(), stopped_reason = 'seller' where id = ${webhook}`;
  await expect(resend("webhook", seller.id)).rejects.toMatchObject({ kind: "conflict" });
  await sql`update destinations set deleted_at = now() where id = ${webhook}`;
  await expect(resend("webhook", seller.id)).rejects.toMatchObject(missing);
  expect(await queuedOf([id])).toEqual([]);
});

test("a delivery that was accepted stays so where it is queued again and not sent; one that failed since does not", async () => {
  const { seller, saleId, webhook } = await soldBy("resend-accepted");
  const taken = (ms: number) => ({ at: ago(ms).toISOString(), result: "taken", status: 200, ms: 5 });
  const accepted = {
    status: "sent" as const,
    reason: "taken",
    createdAt: ago(31 * 24),
    attemptLog: [taken(31 * 24)],
  };
  const old = [await makeDelivery(seller, webhook, { saleId, ...accepted })];
  old.push(await makeDelivery(seller, webhook, { saleId, createdAt: ago(31 * 24) }));
  const states = async (ids: string[]) =>
    (await sql`select status from deliveries where id in ${sql(ids)} order by sequence`).map(
      (one) => one.status,
    );
  const resend = async () => {
    for (const id of old) await resendDelivery("webhook", seller.id, webhook, id);
    return (await queuedOf(old)).length;
  };
  const send = () => sendSubject({ destinationId: webhook, subjectId: saleId }, readNotification);
  expect(await resend()).toBe(2);
  await send();
  expect(await states(old)).toEqual(["sent", "too_late"]);
  // A worker finds the webhook paused.
  expect(await resend()).toBe(2);
  await sql`update destinations set stopped_at = now(), stopped_reason = 'seller' where id = ${webhook}`;
  await send();
  expect(await states(old)).toEqual(["sent", "dropped"]);
  await sql`update destinations set stopped_at = null, stopped_reason = null where id = ${webhook}`;
  expect(await resend()).toBe(2);
  await sql`update deliveries set attempts = 1 where destination_id = ${webhook}`;
  await send();
  expect(await states(old)).toEqual(["too_late", "too_late"]);
});

test("of a period what is too old for its receiver stays as it is, and is not counted", async () => {
  const { seller, saleId, webhook } = await soldBy("resend-old");
  const pixel = await makePixel(seller, "ga4");
  for (const [family, to, hours] of [
    ["webhook", webhook, 30 * 24],
    ["pixel", pixel, 71],
  ] as const) {
    const made = (createdAt: Date) => makeDelivery(seller, to, { saleId, createdAt });
    const [old, young] = [await made(ago(hours + 1)), await made(ago(hours - 1))];
    const span = { from: ago(hours + 2), to: new Date(), all: true };
    expect(await resendDeliveries(family, seller.id, to, span)).toBe(1);
    expect(await queuedOf([old, young])).toEqual([young]);
  }
});

test("a program reads that a delivery was not sent again where its receiver waits, or its time is over", async () => {
  const { seller, saleId, webhook } = await soldBy("resend-unsent");
  const headers = await signedIn(seller);
  const resend = async (newsId: string) => {
    const params = { webhookId: webhook, newsId };
    return (await call(replayOne, "/replay", { method: "POST", headers, params })).json();
  };
  const old = await makeDelivery(seller, webhook, { createdAt: ago(31 * 24) });
  expect(await resend(old)).toEqual({
    success: false,
    message: "Não foi enviado. O prazo para este aviso terminou.",
  });
  await sql`update destinations set backoff_until = now() + interval '1 hour' where id = ${webhook}`;
  const waiting = await makeDelivery(seller, webhook, { saleId });
  expect(await resend(waiting)).toEqual({
    success: false,
    message: expect.stringContaining("Ainda não foi enviado"),
  });
  expect(await queuedOf([old, waiting])).toEqual([waiting]);
});
