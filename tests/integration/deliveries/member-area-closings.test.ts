import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { saveBumps } from "#app/domain/catalog/save-bumps.server.ts";
import { saveUpsells } from "#app/domain/catalog/save-upsells.server.ts";
import { resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { claimNextOfSubject } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { cleanUpBatches } from "#app/domain/maintenance/clean-up.server.ts";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { buyersOf, giveBack, KINDS, mailbox, openSchool } from "#tests/integration/deliveries/open-school.ts";
import { deliveriesOf, scheduleNow, sendQueued } from "#tests/integration/deliveries/support.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeUpsell } from "#tests/support/make.ts";
import { memberForm, saveMemberArea, showMemberArea } from "#tests/support/rows/destinations.ts";

const app = await startApp({ web: 0, worker: 0 });
const { order, buyIn, sold, openTo } = buyersOf(app);

/** What a save of the product without its bumps and upsells does. */
const removeAll = ({ product }: Pick<Awaited<ReturnType<typeof openSchool>>, "product">) =>
  db.transaction(async (tx) => {
    const owner = { sellerId: product.sellerId, productId: product.id };
    await saveBumps(tx, owner, []);
    await saveUpsells(tx, owner, []);
  });

test.each(KINDS)("a bump that is removed before it is paid is opened at %s all the same", async (kind) => {
  const school = await openSchool(kind);
  const email = mailbox();
  const bought = await order(school, { email, withBump: true });
  await removeAll(school);
  await pay(app, bought);
  await sendQueued(school.area, bought.saleId);
  const all = kind === "cademi" ? [school.codes.product, school.codes.bump].sort() : ["101", "102", "103"];
  expect(await openTo(email)).toEqual(all);
});

test.each(KINDS)("a removed bump is closed at %s, once no purchase of it is left", async (kind) => {
  const school = await openSchool(kind);
  const email = mailbox();
  const bought = [
    await buyIn(school, { email, withBump: true }),
    // In another browser, since the same order there is the same sale.
    await buyIn(school, { email }),
  ];
  for (const { saleId } of bought) await sendQueued(school.area, saleId);
  await removeAll(school);
  for (const { saleId } of bought) {
    await giveBack(saleId);
    await sendQueued(school.area, saleId);
    const left =
      saleId === bought[0]!.saleId ? (kind === "cademi" ? [school.codes.product] : ["101", "103"]) : [];
    expect(await openTo(email)).toEqual(left);
  }
});

/** The items of the orders that Cademí was told to open and not to close, if it opens by the order's code. */
async function openOrders(area: string): Promise<string[]> {
  const rows = await sql`select body_sealed from deliveries where destination_id = ${area} and status = 'sent'
    order by attempted_at, sequence, part`;
  const bodies: Record<string, string>[] = rows.map((row) => JSON.parse(unseal(row.body_sealed)));
  const states = new Map(bodies.map((body) => [body.codigo, body]));
  return [...states.values()].flatMap((body) => (body.status === "aprovado" ? body.produto_id! : [])).sort();
}

test.each([0, 1])(
  "a product bought twice stays open at Cademí while one purchase counts, and no order of it once none does (%i first)",
  async (first) => {
    const school = await openSchool("cademi");
    const { area, codes } = school;
    const email = mailbox();
    const bought = [await buyIn(school, { email, withBump: true }), await buyIn(school, { email })];
    for (const { saleId } of bought) await sendQueued(area, saleId);
    expect(await openOrders(area)).toEqual([codes.product, codes.product, codes.bump].sort());
    const [returned, kept] = [bought[first]!, bought[1 - first]!];
    await giveBack(returned.saleId);
    await sendQueued(area, returned.saleId);
    expect(await openTo(email)).toEqual(first === 0 ? [codes.product] : [codes.product, codes.bump].sort());
    await giveBack(kept.saleId);
    await sendQueued(area, kept.saleId);
    expect([await openTo(email), await openOrders(area)]).toEqual([[], []]);
  },
);

test("a purchase that ended before the product was bought again is not closed with that once more", async () => {
  const { area, saleId, email, ...school } = await sold("cademi");
  await sendQueued(area, saleId);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  const again = await buyIn({ area, ...school }, { email, withBump: true });
  await sendQueued(area, again.saleId);
  await giveBack(again.saleId, "chargedback");
  await sendQueued(area, again.saleId);
  expect(await openOrders(area)).toEqual([]);
  const closings = (await deliveriesOf(area)).filter(({ event }) => event === "access.revoked");
  expect(closings.map(({ sale_id, part }) => [sale_id, part])).toEqual([
    [saleId, 0],
    [again.saleId, 0],
    [again.saleId, 1],
  ]);
});

test.each(KINDS)(
  "a removed upsell is opened at %s when it is paid, and closed when it is refunded",
  async (kind) => {
    const school = await openSchool(kind);
    const { product, seller, area, codes } = school;
    const upsell = await makeUpsell(product);
    const code = `offer-${upsell.id}`;
    const classes = [
      { item: codes.product, ids: [101] },
      { item: code, ids: [102] },
    ];
    if (kind === "memberkit")
      await sql`update destinations set settings = settings || ${sql.json({ classes })} where id = ${area}`;
    const email = mailbox();
    const first = await buyIn(school, { email });
    await sendQueued(area, first.saleId);
    await startNextUpsell({ sellerId: seller.id, saleId: first.saleId, productId: product.id });
    const { saleId } = await acceptUpsell({
      ...ANY_TERMS,
      saleId: first.saleId,
      upsellId: upsell.id,
      buyerContext: { client: email },
    });
    const { chargeId } = await startPix(saleId);
    const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
    await removeAll(school);
    await pay(app, { chargeId, providerId: charge!.provider_id });
    await sendQueued(area, saleId);
    const all = kind === "cademi" ? [codes.product, code].sort() : ["101", "102"];
    expect(await openTo(email)).toEqual(all);
    await giveBack(saleId);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual(all.slice(0, 1));
  },
);

test("a save of MemberKit keeps the product of a removed bump that leads to a class", async () => {
  const school = await openSchool("memberkit");
  const { seller, product, area, codes } = school;
  await sql`update destinations set settings = settings || ${sql.json({ classes: [{ item: codes.bump, ids: [102] }] })}
    where id = ${area}`;
  const email = mailbox();
  const { saleId } = await buyIn(school, { email, withBump: true });
  await sendQueued(area, saleId);
  await removeAll(school);
  const { token } = await showMemberArea(seller.id, area);
  const renamed = {
    kind: "memberkit",
    name: "Outro nome",
    revokes: true,
    token,
    classes: [{ item: codes.product }],
  };
  await saveMemberArea(seller.id, area, memberForm.parse(renamed), undefined);
  expect(await showMemberArea(seller.id, area)).toMatchObject({
    name: "Outro nome",
    productIds: [product.id],
  });
  expect(await openTo(email)).toEqual(["102"]);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([]);
});

/** A closing of product and bump at Cademí, one of whose parts failed and will be sent again. */
async function halfClosed(failedPart: 0 | 1) {
  const school = await sold("cademi", { withBump: true });
  const { area, saleId } = school;
  await sendQueued(area, saleId);
  await giveBack(saleId);
  if (failedPart === 1) {
    const first = await claimNextOfSubject({ destinationId: area, subjectId: saleId });
    await sendDelivery(first!, readNotification);
  }
  await app.sandbox.fault({ service: "cademi", mode: "http-500" });
  await sendQueued(area, saleId);
  return school;
}

/** What became of the parts of a sale's closing. */
const closingOf = async (area: string, saleId: string) =>
  (await deliveriesOf(area))
    .filter(({ event, sale_id }) => event === "access.revoked" && sale_id === saleId)
    .map(({ part, status, reason }) => [part, status, reason]);

test.each([0, 1] as const)(
  "after part %i of a closing failed, a product that is bought again stays open and the bump is closed",
  async (failedPart) => {
    const school = await halfClosed(failedPart);
    const { area, saleId, email, codes } = school;
    const again = await buyIn(school, { email });
    await sendQueued(area, again.saleId);
    await scheduleNow(area);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([codes.product]);
    const first = failedPart === 0 ? [0, "dropped", "still-held"] : [0, "sent", "taken"];
    expect(await closingOf(area, saleId)).toEqual([first, [1, "sent", "taken"]]);
  },
);

test("a bump that is bought again before its closing is repeated stays open", async () => {
  const school = await halfClosed(1);
  const { area, saleId, email, codes } = school;
  const again = await buyIn(school, { email, withBump: true });
  await sql`update sale_lines set item_id = null where sale_id = ${again.saleId} and kind = 'product'`;
  await sendQueued(area, again.saleId);
  await scheduleNow(area);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([codes.bump]);
  expect(await closingOf(area, saleId)).toEqual([
    [0, "sent", "taken"],
    [1, "dropped", "still-held"],
  ]);
});

test("parts of an opening that failed are opened to the e-mail that was corrected meanwhile", async () => {
  const { area, saleId, email, codes } = await sold("cademi", { withBump: true });
  await app.sandbox.fault({ service: "cademi", mode: "http-500" });
  await sendQueued(area, saleId);
  const right = mailbox();
  await correctEmail(saleId, right);
  await scheduleNow(area);
  await sendQueued(area, saleId);
  expect(await openTo(right)).toEqual([codes.product, codes.bump].sort());
  expect(await openTo(email)).toEqual([]);
});

const linkTo = (area: string, item: string, ids: number[]) =>
  sql`update destinations set settings = settings || ${sql.json({ classes: [{ item, ids }] })} where id = ${area}`;

test("a refund closes the classes that MemberKit was told to open, and those that the product leads to now", async () => {
  const { area, saleId, email, codes } = await sold("memberkit");
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual(["101", "103"]);
  await linkTo(area, codes.product, [102]);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([]);
});

/** Clears what was sent, as after 30 days. */
async function clearBodies(area: string) {
  await sql`update deliveries set created_at = now() - interval '31 days' where destination_id = ${area}`;
  await db.execute(cleanUpBatches["delivery bodies"]!(100));
  const left = await sql`select 1 from deliveries where destination_id = ${area} and body_sealed is not null`;
  expect(left).toEqual([]);
}

test("a refund closes what was opened, though the body was cleared and the product leads elsewhere since", async () => {
  const school = await sold("memberkit", { withBump: true });
  const { area, saleId, email, codes } = school;
  await sendQueued(area, saleId);
  // Without the bump, since the same order would be the same sale.
  const other = await buyIn(school, { email });
  await sendQueued(area, other.saleId);
  await clearBodies(area);
  await linkTo(area, codes.product, [104]);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual(["101", "103"]);
  await giveBack(other.saleId);
  await sendQueued(area, other.saleId);
  expect(await openTo(email)).toEqual([]);
});

test("an e-mail that is corrected after the body was cleared loses what was opened to it", async () => {
  const { area, saleId, email, codes } = await sold("memberkit");
  await sendQueued(area, saleId);
  await clearBodies(area);
  await linkTo(area, codes.product, [102]);
  const right = mailbox();
  await correctEmail(saleId, right);
  await sendQueued(area, saleId);
  expect([await openTo(email), await openTo(right)]).toEqual([[], ["102"]]);
});

test("a class that another purchase opened stays open until that one is refunded", async () => {
  const school = await openSchool("memberkit");
  const { area, codes } = school;
  const email = mailbox();
  const bought = [await buyIn(school, { email, withBump: true }), await buyIn(school, { email })];
  for (const { saleId } of bought) await sendQueued(area, saleId);
  await linkTo(area, codes.product, [103]);
  await giveBack(bought[0]!.saleId);
  await sendQueued(area, bought[0]!.saleId);
  expect(await openTo(email)).toEqual(["101", "103"]);
  await giveBack(bought[1]!.saleId);
  await sendQueued(area, bought[1]!.saleId);
  expect(await openTo(email)).toEqual([]);
});

test("a corrected e-mail loses the classes that were opened to it, and no others", async () => {
  const { area, saleId, email, codes } = await sold("memberkit");
  await sendQueued(area, saleId);
  await linkTo(area, codes.product, [102]);
  const right = mailbox();
  await correctEmail(saleId, right);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([]);
  expect(await openTo(right)).toEqual(["102"]);
  await giveBack(saleId);
  await sendQueued(area, saleId);
  expect(await openTo(right)).toEqual([]);
});

test.each(["status-404", "http-500"] as const)(
  "what a closing left open after %s is closed at the old e-mail, though the buyer has another one since",
  async (mode) => {
    const { area, saleId, seller, email } = await sold("memberkit");
    await sendQueued(area, saleId);
    await giveBack(saleId);
    const first = await claimNextOfSubject({ destinationId: area, subjectId: saleId });
    await sendDelivery(first!, readNotification);
    await app.sandbox.fault({ service: "memberkit", mode });
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual(["103"]);
    await editCustomer(seller.id, saleId, { name: "Ana Souza", email: mailbox() });
    // What the area refused waits for its seller.
    const left = (await deliveriesOf(area)).find(({ status }) => status === "refused");
    if (left) await resendDelivery("members", seller.id, area, left.id);
    await scheduleNow(area);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
  },
);
