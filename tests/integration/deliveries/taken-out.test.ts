import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import { loadLog } from "#app/domain/delivery/load-log.server.ts";
import { resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { buyersOf, giveBack, KINDS, mailbox, openSchool } from "#tests/integration/deliveries/open-school.ts";
import { deliveriesOf, scheduleNow, sendQueued } from "#tests/integration/deliveries/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/make.ts";
import { memberForm, saveMemberArea, showMemberArea } from "#tests/support/rows/destinations.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
const { buyIn, sold, openTo } = buyersOf(app);

/** A purchase that was opened at an area, from which its product was then taken out. */
async function soldAndTakenOut(kind: (typeof KINDS)[number]) {
  const school = await sold(kind);
  const { seller, area, saleId, email, codes } = school;
  await sendQueued(area, saleId);
  const opened = await openTo(email);
  const { token, name, area: address } = await showMemberArea(seller.id, area);
  const other = await makeProduct(seller);
  const rest =
    kind === "memberkit"
      ? { classes: [{ item: codes.product }, { item: codes.bump }] }
      : { area: address, scope: "some", products: [other.id] };
  await saveMemberArea(
    seller.id,
    area,
    memberForm.parse({ kind, name, token, revokes: true, ...rest }),
    undefined,
  );
  return { ...school, opened };
}

test.each(KINDS)(
  "what was opened at %s is closed though its product was taken out of the area",
  async (kind) => {
    const { area, saleId, email, opened } = await soldAndTakenOut(kind);
    expect(opened).not.toEqual([]);
    await giveBack(saleId);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
  },
);

test.each(KINDS)(
  "what was bought after its product was taken out of %s is neither opened nor closed",
  async (kind) => {
    const school = await soldAndTakenOut(kind);
    const { saleId } = await buyIn(school, { email: mailbox() });
    await giveBack(saleId);
    expect((await deliveriesOf(school.area)).filter(({ sale_id }) => sale_id === saleId)).toEqual([]);
  },
);

test.each(KINDS)(
  "what was bought again after its product was taken out of %s keeps nothing open there",
  async (kind) => {
    const school = await soldAndTakenOut(kind);
    const { area, saleId, email } = school;
    const again = await buyIn(school, { email, withBump: true });
    await giveBack(saleId);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
    await giveBack(again.saleId);
    expect((await deliveriesOf(area)).filter(({ sale_id }) => sale_id === again.saleId)).toEqual([]);
  },
);

test("a product that is back in Cademí keeps open what was bought before, also by a purchase from between", async () => {
  const school = await soldAndTakenOut("cademi");
  const { area, saleId, email, opened } = school;
  const again = await buyIn(school, { email, withBump: true });
  await sql`update destinations set product_ids = null where id = ${area}`;
  for (const [ended, open] of [
    [saleId, opened],
    [again.saleId, []],
  ] as const) {
    await giveBack(ended);
    await sendQueued(area, ended);
    expect(await openTo(email)).toEqual(open);
  }
});

test.each(KINDS)(
  "a corrected e-mail takes along what %s opened before its product was taken out",
  async (kind) => {
    const { area, saleId, email, opened } = await soldAndTakenOut(kind);
    const right = mailbox();
    await correctEmail(saleId, right);
    await sendQueued(area, saleId);
    expect([await openTo(email), await openTo(right)]).toEqual([[], opened]);
  },
);

test.each(KINDS)(
  "a dispute that is won reopens at %s what it closed, though the product was taken out",
  async (kind) => {
    const { seller, area, saleId, email, opened } = await soldAndTakenOut(kind);
    const disputeId = randomUUID();
    const move = (status: "completed" | "disputed", to: Parameters<typeof moveSale>[2]) =>
      db.transaction((tx) => moveSale(tx, { id: saleId, sellerId: seller.id, status }, to, "provider"));
    await move("completed", { to: "disputed", disputeId, suspends: true });
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
    await move("disputed", { to: "completed", disputeId, restores: true });
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual(opened);
  },
);

test("a webhook is told nothing more of a product that was taken out of it", async () => {
  const school = await openSchool("memberkit");
  const webhook = await makeWebhook(school.seller, { name: "taken-out", productIds: [school.product.id] });
  const { saleId } = await buyIn(school, { email: mailbox() });
  await sendQueued(webhook, saleId);
  const told = await deliveriesOf(webhook);
  expect(told.map(({ event }) => event)).toContain("access.granted");
  await sql`update destinations set product_ids = '{}' where id = ${webhook}`;
  await giveBack(saleId);
  expect(await deliveriesOf(webhook)).toEqual(told);
});

const linkTo = (area: string, item: string, ids: number[]) =>
  sql`update destinations set settings = settings || ${sql.json({ classes: [{ item, ids }] })} where id = ${area}`;

/** A purchase whose opening was sent again after its product was linked to another class. */
async function openedTwice() {
  const school = await sold("memberkit");
  const { seller, area, saleId, email, codes } = school;
  await sendQueued(area, saleId);
  await linkTo(area, codes.product, [102]);
  const [opening] = await deliveriesOf(area);
  await resendDelivery("members", seller.id, area, opening!.id);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual(["101", "102", "103"]);
  return { ...school, openingId: opening!.id as string };
}

test("a refund closes what an opening opened first, and what it opened when it was sent again", async () => {
  const { area, saleId, email } = await openedTwice();
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([]);
});

test("a refund also closes what an opening may have opened whose worker died before it recorded the answer", async () => {
  const { area, saleId, email, codes } = await sold("memberkit");
  await sendQueued(area, saleId);
  await sql`update deliveries set status = 'queued', reason = null, attempt_log = '[]', scheduled_at = now()
    where destination_id = ${area}`;
  await linkTo(area, codes.product, [102]);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual(["101", "102", "103"]);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([]);
});

test("a refund also closes what an opening may have opened that was given up without an answer", async () => {
  const { area, saleId, email, codes } = await sold("memberkit");
  await sendQueued(area, saleId);
  await sql`update deliveries set status = 'refused', reason = 'no-answer', attempt_log = '[]', scheduled_at = null
    where destination_id = ${area}`;
  await linkTo(area, codes.product, [102]);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([]);
});

test("what an opening remembers of its earlier bodies is neither sent nor shown", async () => {
  const { seller, area, email, openingId } = await openedTwice();
  const log = await loadLog(
    listedKindOf("memberkit"),
    seller.id,
    area,
    new URLSearchParams({ entry: openingId }),
  );
  const shown = log.items.find(({ id }) => id === openingId)!.open!.body!;
  const [last] = (await app.sandbox.memberships(email)).filter(({ item }) => item === "102");
  for (const body of [JSON.parse(shown), last!.body]) {
    expect(body).toMatchObject({ classroom_ids: [102] });
    expect(body).not.toHaveProperty("replaced");
  }
});

test("a class that MemberKit knows no more keeps no other one open after a refund", async () => {
  const { area, saleId, email, codes } = await sold("memberkit");
  await sendQueued(area, saleId);
  await linkTo(area, codes.product, [999, 101]);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([]);
  const closings = (await deliveriesOf(area)).filter(({ event }) => event === "access.revoked");
  expect(closings.map(({ reason }) => reason)).toEqual(["rejected", "taken", "taken"]);
});

test("a class that is bought again before its closing is repeated stays open", async () => {
  const school = await sold("memberkit");
  const { area, saleId, email } = school;
  await sendQueued(area, saleId);
  await giveBack(saleId);
  await app.sandbox.fault({ service: "memberkit", mode: "http-500" });
  await sendQueued(area, saleId);
  await linkTo(area, school.codes.product, [103]);
  const again = await buyIn(school, { email });
  await sendQueued(area, again.saleId);
  await scheduleNow(area);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual(["103"]);
});
