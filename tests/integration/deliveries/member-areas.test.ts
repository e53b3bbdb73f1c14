import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { deleteDestination, resumeDestination } from "#app/domain/delivery/change-destination.server.ts";
import { resendDeliveries, resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { claimNextOfSubject } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { cleanUp } from "#app/domain/maintenance/clean-up.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import {
  buyer,
  buyersOf,
  giveBack,
  KINDS,
  mailbox,
  openSchool,
} from "#tests/integration/deliveries/open-school.ts";
import { deliveriesOf, scheduleNow, sendQueued } from "#tests/integration/deliveries/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSale, makeUpsell } from "#tests/support/make.ts";
import { showMemberArea, testMemberArea } from "#tests/support/rows/destinations.ts";
import { MEMBER_KEY } from "#tests/support/rows/make-destination.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

const { buyIn, sold, openTo } = buyersOf(app);

async function suspend(saleId: string) {
  const [sale] = await sql`select seller_id from sales where id = ${saleId}`;
  const disputed = { to: "disputed", disputeId: randomUUID(), suspends: true } as const;
  const paid = { id: saleId, sellerId: sale!.seller_id, status: "completed" } as const;
  await db.transaction((tx) => moveSale(tx, paid, disputed, "provider"));
}

test.each(KINDS)(
  "at %s a purchase with its bump is opened once paid, and closed when it is refunded",
  async (kind) => {
    const { area, saleId, email, codes } = await sold(kind, { withBump: true });
    await sendQueued(area, saleId);
    const all = kind === "cademi" ? [codes.product, codes.bump].sort() : ["101", "102", "103"];
    expect(await openTo(email)).toEqual(all);
    expect((await app.sandbox.memberships(email))[0]).toMatchObject({ name: "Ana Souza", told: 1 });
    await giveBack(saleId);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
    expect(
      (await deliveriesOf(area)).every(({ status, attempts }) => status === "sent" && attempts === 1),
    ).toBe(true);
  },
);

test.each(KINDS)(
  "at %s a chargeback closes too, and an area that does not end access gets neither",
  async (kind) => {
    const { area, saleId, email } = await sold(kind);
    const storesState = await sold(kind, { fields: { events: ["access.granted"] } });
    for (const one of [{ area, saleId }, storesState]) {
      await giveBack(one.saleId, "chargedback");
      await sendQueued(one.area, one.saleId);
    }
    expect(await openTo(email)).toEqual([]);
    // Refunded before it was delivered: nothing is left to open.
    expect(await deliveriesOf(storesState.area)).toMatchObject([
      { event: "access.granted", status: "dropped", reason: "given-back" },
    ]);
  },
);

test("an upsell is opened by its own code, as its own sale", async () => {
  const school = await openSchool("cademi");
  const { product, area } = school;
  const offer = await makeUpsell(product);
  const email = mailbox();
  const first = await buyIn(school, { email });
  const upsell = await makeSale(product, { customerEmail: email, parentSaleId: first.saleId });
  await sql`update sale_lines set kind = 'offer', product_id = null, upsell_id = ${offer.id}, item_id = ${offer.id}, name = 'Mentoria'
    where sale_id = ${upsell.id}`;
  await db.transaction((tx) =>
    moveSale(
      tx,
      { id: upsell.id, sellerId: upsell.sellerId, status: "pending" },
      { to: "completed", at: new Date(), feeCents: 0 },
      "provider",
    ),
  );
  for (const saleId of [first.saleId, upsell.id]) await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual([school.codes.product, `offer-${offer.id}`].sort());
});

test.each(KINDS)("at %s what was bought twice stays open when one of the two is refunded", async (kind) => {
  const school = await openSchool(kind);
  const email = mailbox();
  const [first, second] = [await buyIn(school, { email, withBump: true }), await buyIn(school, { email })];
  for (const { saleId } of [first, second]) await sendQueued(school.area, saleId);
  await giveBack(first.saleId);
  await sendQueued(school.area, first.saleId);
  expect(await openTo(email)).toEqual(kind === "cademi" ? [school.codes.product] : ["101", "103"]);
  await giveBack(second.saleId);
  await sendQueued(school.area, second.saleId);
  expect(await openTo(email)).toEqual([]);
});

test.each(KINDS)(
  "at %s a delivery received with a lost answer is repeated as the same membership",
  async (kind) => {
    const { area, saleId, email } = await sold(kind);
    await app.sandbox.fault({ service: kind, mode: "reset", after: true });
    await sendQueued(area, saleId);
    expect(await deliveriesOf(area)).toMatchObject([{ status: "queued", reason: "network" }]);
    await scheduleNow(area);
    await sendQueued(area, saleId);
    expect(await deliveriesOf(area)).toMatchObject([{ status: "sent", attempts: 2 }]);
    const stored = await app.sandbox.memberships(email);
    expect(new Set(stored.map(({ told }) => told))).toEqual(new Set([2]));
    expect(stored.every(({ isOpen }) => isOpen)).toBe(true);
  },
);

test.each(KINDS)(
  "a worker that dies between the call to %s and its note is followed by one that sends the same",
  async (kind) => {
    const { area, saleId, email } = await sold(kind);
    await sendQueued(area, saleId);
    await sql`update deliveries set status = 'queued', leased_until = now() - interval '1 second' where destination_id = ${area}`;
    await sendQueued(area, saleId);
    expect(new Set((await app.sandbox.memberships(email)).map(({ told }) => told))).toEqual(new Set([2]));
  },
);

test.each([
  ["cademi", "http-500"],
  ["cademi", "http-429"],
  ["cademi", "reset"],
  ["memberkit", "http-500"],
  ["memberkit", "http-429"],
  ["memberkit", "status-503"],
] as const)("after %s's %s it is sent again, and opened once", async (kind, mode) => {
  const { area, saleId, email } = await sold(kind);
  await app.sandbox.fault({ service: kind, mode });
  await sendQueued(area, saleId);
  expect(await deliveriesOf(area)).toMatchObject([{ status: "queued", attempts: 1 }]);
  expect(await openTo(email)).toEqual([]);
  await scheduleNow(area);
  await sendQueued(area, saleId);
  expect(await deliveriesOf(area)).toMatchObject([{ status: "sent", attempts: 2 }]);
  expect(new Set((await app.sandbox.memberships(email)).map(({ told }) => told))).toEqual(new Set([1]));
});

test.each(KINDS.flatMap((kind) => [403, 409].map((status) => [kind, status] as const)))(
  "%s's area is not stopped by a firewall's %i, and what was paid is opened",
  async (kind, status) => {
    const { area, saleId, email } = await sold(kind);
    const body = "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>";
    await app.sandbox.fault({ service: kind, mode: `status-${status}`, body });
    await sendQueued(area, saleId);
    const [row] = await sql`select stopped_reason from destinations where id = ${area}`;
    expect(row!.stopped_reason).toBeNull();
    await scheduleNow(area);
    await sendQueued(area, saleId);
    expect(await openTo(email)).not.toEqual([]);
  },
);

test("a refusal inside Cademí's 200 counts as one, with its own message", async () => {
  const { area, saleId } = await sold("cademi");
  const body = { success: false, code: 422, msg: "Produto não encontrado" };
  await app.sandbox.fault({ service: "cademi", mode: "status-200", body });
  await sendQueued(area, saleId);
  expect(await deliveriesOf(area)).toMatchObject([
    { status: "refused", reason: "rejected", response_status: 200 },
  ]);
});

test("a class that does not exist is refused; mended, the same is sent again with the right one", async () => {
  const { area, saleId, seller, email, codes } = await sold("memberkit", {
    fields: { classes: [{ item: "0", ids: [] }], productIds: null },
  });
  const link = (ids: number[]) =>
    sql`update destinations set settings = settings || ${sql.json({ classes: [{ item: codes.product, ids }] })}
      where id = ${area}`;
  await link([999]);
  await sendQueued(area, saleId);
  const [refused] = await deliveriesOf(area);
  expect(refused).toMatchObject({ status: "refused", reason: "rejected", response_status: 422 });
  expect(refused!.response_body).toContain("Turma não encontrada: 999");
  await link([102]);
  await resendDelivery("members", seller.id, area, refused!.id);
  await sendQueued(area, saleId);
  expect(await openTo(email)).toEqual(["102"]);
});

test.each(KINDS)(
  "%s refusing the key stops the area and mails its seller once; once fixed, missed deliveries are sent",
  async (kind) => {
    const { area, saleId, seller, email } = await sold(kind);
    const [good] = await sql`select token_sealed from destinations where id = ${area}`;
    await sql`update destinations set token_sealed = null where id = ${area}`;
    await sendQueued(area, saleId);
    expect(await deliveriesOf(area)).toMatchObject([{ status: "refused", reason: "token" }]);
    const mails = opened(
      await sql`select body_sealed from ${mailsWithTexts()} where seller_id = ${seller.id} and kind = 'destination-stopped'`,
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]!.payload.subject).toMatch(/^Área de membros pausada/);
    expect(mails[0]!.payload.html).toContain(`/settings/member-areas/${area}`);
    await sql`update destinations set token_sealed = ${good!.token_sealed} where id = ${area}`;
    await resumeDestination("members", seller.id, area);
    await resendDeliveries("members", seller.id, area, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: false,
    });
    await sendQueued(area, saleId);
    expect((await openTo(email)).length).toBeGreaterThan(0);
  },
);

test.each(KINDS)(
  "a refused opening that is sent again after the money went back opens nothing at %s",
  async (kind) => {
    const { area, saleId, seller, email } = await sold(kind);
    await app.sandbox.fault({ service: kind, mode: "status-422" });
    await sendQueued(area, saleId);
    await giveBack(saleId);
    await sendQueued(area, saleId);
    await resendDeliveries("members", seller.id, area, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: true,
    });
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
    // MemberKit closes one class after the other.
    const closings = kind === "memberkit" ? ["taken", "taken"] : ["taken"];
    expect((await deliveriesOf(area)).map(({ reason }) => reason)).toEqual(["given-back", ...closings]);
  },
);

test.each(
  KINDS.flatMap((kind) => [
    { kind, bought: "a product", withBump: false },
    { kind, bought: "a product and a bump", withBump: true },
  ]),
)(
  "a corrected e-mail is opened $bought at $kind, and the one of before closed",
  async ({ kind, withBump }) => {
    const { area, saleId, email } = await sold(kind, { withBump });
    await sendQueued(area, saleId);
    const opened = await openTo(email);
    const right = mailbox();
    await correctEmail(saleId, right);
    await sendQueued(area, saleId);
    expect(await openTo(right)).toEqual(opened);
    expect(await openTo(email)).toEqual([]);
    await giveBack(saleId);
    await sendQueued(area, saleId);
    expect(await openTo(right)).toEqual([]);
  },
);

test.each(KINDS)(
  "a corrected e-mail moves the access at %s though the area ends none after a refund",
  async (kind) => {
    const { area, saleId, email } = await sold(kind, { fields: { events: ["access.granted"] } });
    await sendQueued(area, saleId);
    const opened = await openTo(email);
    const right = mailbox();
    await correctEmail(saleId, right);
    await sendQueued(area, saleId);
    expect([await openTo(email), await openTo(right)]).toEqual([[], opened]);
    await giveBack(saleId);
    await sendQueued(area, saleId);
    expect(await openTo(right)).toEqual(opened);
  },
);

test.each(KINDS)(
  "at %s an e-mail that comes back is open in the end, and a late or repeated closing does not close it",
  async (kind) => {
    const { area, saleId, seller, email } = await sold(kind);
    await sendQueued(area, saleId);
    const opened = await openTo(email);
    const other = mailbox();
    for (const to of [other, email]) {
      await editCustomer(seller.id, saleId, { name: "Ana Souza", email: to });
      await sendQueued(area, saleId);
    }
    expect(await openTo(email)).toEqual(opened);
    expect(await openTo(other)).toEqual([]);
    await resendDeliveries("members", seller.id, area, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: true,
    });
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual(opened);
    expect(await openTo(other)).toEqual([]);
  },
);

test.each(KINDS)(
  "what is paid while an area at %s is paused is in its log, and is opened from there",
  async (kind) => {
    const stopped = { stoppedAt: new Date(), stoppedReason: "token" as const };
    const { area, saleId, seller, email } = await sold(kind, { fields: stopped });
    const right = mailbox();
    await correctEmail(saleId, right);
    await sendQueued(area, saleId);
    expect((await deliveriesOf(area)).map(({ event, status, reason }) => [event, status, reason])).toEqual([
      ["access.granted", "dropped", "stopped"],
      ["access.granted", "dropped", "stopped"],
    ]);
    await resumeDestination("members", seller.id, area);
    await resendDeliveries("members", seller.id, area, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: false,
    });
    await sendQueued(area, saleId);
    expect((await openTo(right)).length).toBeGreaterThan(0);
    expect(await openTo(email)).toEqual([]);
  },
);

test.each(KINDS)(
  "at %s a closing that waits for a retry goes to the e-mail that was opened, though that is corrected meanwhile",
  async (kind) => {
    for (const correct of ["seller", "buyer"] as const) {
      const { area, saleId, seller, email } = await sold(kind);
      await sendQueued(area, saleId);
      expect(await openTo(email)).not.toEqual([]);
      const refunds = correct === "seller";
      if (refunds) await giveBack(saleId);
      else await suspend(saleId);
      await app.sandbox.fault({ service: kind, mode: "http-500" });
      await sendQueued(area, saleId);
      expect((await deliveriesOf(area)).at(-1)).toMatchObject({ event: "access.revoked", status: "queued" });
      const right = mailbox();
      if (refunds) await editCustomer(seller.id, saleId, { name: "Ana Souza", email: right });
      else await correctEmail(saleId, right);
      await scheduleNow(area);
      await sendQueued(area, saleId);
      expect((await deliveriesOf(area)).at(-1)).toMatchObject({ event: "access.revoked", status: "sent" });
      expect(await openTo(email)).toEqual([]);
      expect(await app.sandbox.memberships(right)).toEqual([]);
    }
  },
);

test.each(KINDS)(
  "at %s a closing that a worker has taken up goes to the e-mail that was opened, though that is corrected at this moment",
  async (kind) => {
    const { area, saleId, seller, email } = await sold(kind);
    await sendQueued(area, saleId);
    await giveBack(saleId);
    const claimed = await claimNextOfSubject({ destinationId: area, subjectId: saleId });
    const right = mailbox();
    await editCustomer(seller.id, saleId, { name: "Ana Souza", email: right });
    await sendDelivery(claimed!, readNotification);
    expect(await app.sandbox.memberships(right)).toEqual([]);
    await scheduleNow(area);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
    expect(await app.sandbox.memberships(right)).toEqual([]);
  },
);

test("a webhook still names the buyer of now where an access ended", async () => {
  const { saleId, seller } = await sold("cademi");
  const webhook = await makeWebhook(seller, { name: "ended-access", events: ["access.revoked"] });
  await giveBack(saleId);
  const right = mailbox();
  await editCustomer(seller.id, saleId, { name: "Ana Souza", email: right });
  await sendQueued(webhook, saleId);
  const [arrival] = await app.sandbox.arrivals("ended-access");
  expect(JSON.parse(arrival!.body).data.customer.email).toBe(right);
});

test("a deleted area gets no more deliveries", async () => {
  const { area, product, seller } = await openSchool("cademi");
  await deleteDestination("members", seller.id, area);
  await pay(app, await buy(product.id, buyer(mailbox())));
  expect(await deliveriesOf(area)).toEqual([]);
});

test("an e-mail corrected before any delivery is the only one that is sent", async () => {
  const { area, saleId, email } = await sold("memberkit");
  const right = mailbox();
  await correctEmail(saleId, right);
  await sendQueued(area, saleId);
  expect(await app.sandbox.memberships(email)).toEqual([]);
  expect(await openTo(right)).toEqual(["101", "103"]);
});

test("an e-mail corrected while its access is being opened is closed after that", async () => {
  const { area, saleId } = await sold("memberkit");
  await sql`update deliveries set leased_until = now() + interval '1 minute' where destination_id = ${area}`;
  await correctEmail(saleId, mailbox());
  expect((await deliveriesOf(area)).map(({ event }) => event)).toEqual([
    "access.granted",
    "access.granted",
    "access.revoked",
  ]);
});

test.each([
  ["was delivered", false],
  ["may have arrived without an answer", true],
])(
  "an e-mail whose opening %s, and waits to be sent again, is closed once it is corrected",
  async (_, isLost) => {
    const { area, saleId, seller, email } = await sold("memberkit");
    if (isLost) await app.sandbox.fault({ service: "memberkit", mode: "reset", after: true });
    await sendQueued(area, saleId);
    await sql`update deliveries set status = 'refused' where destination_id = ${area} and status = 'queued'`;
    expect(await openTo(email)).toEqual(["101", "103"]);
    await resendDeliveries("members", seller.id, area, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: true,
    });
    const right = mailbox();
    await correctEmail(saleId, right);
    await sendQueued(area, saleId);
    expect(await openTo(email)).toEqual([]);
    expect(await openTo(right)).toEqual(["101", "103"]);
  },
);

test("a corrected name, and an e-mail of an unpaid order, cause no delivery", async () => {
  const school = await openSchool("cademi");
  const paid = await buyIn(school, { email: "ana@exemplo.com.br" });
  await editCustomer(school.seller.id, paid.saleId, { name: "Ana S.", email: "ana@exemplo.com.br" });
  const { saleId } = await buy(school.product.id, buyer(mailbox()));
  await correctEmail(saleId, mailbox());
  expect(await deliveriesOf(school.area)).toMatchObject([{ event: "access.granted", sale_id: paid.saleId }]);
});

test("only the seller's own member areas get a corrected e-mail", async () => {
  const { saleId, seller, area } = await sold("cademi");
  const stranger = await openSchool("cademi");
  const webhook = await makeWebhook(seller, { name: "no-correction" });
  await correctEmail(saleId, mailbox());
  expect(await deliveriesOf(stranger.area)).toEqual([]);
  expect(await deliveriesOf(webhook)).toEqual([]);
  expect(await deliveriesOf(area)).toHaveLength(2);
});

test("the old e-mail and the bodies sent are encrypted, and deleted after thirty days; resent later nothing is closed", async () => {
  const { area, saleId, email, seller } = await sold("memberkit");
  await sendQueued(area, saleId);
  const right = mailbox();
  await correctEmail(saleId, right);
  await sendQueued(area, saleId);
  const stored = JSON.stringify(await sql`select * from deliveries where destination_id = ${area}`);
  for (const secret of [email, right, "Ana Souza", "987654321", MEMBER_KEY])
    expect(stored).not.toContain(secret);
  await sql`update deliveries set created_at = now() - interval '31 days' where destination_id = ${area}`;
  await cleanUp.handle({}, { number: 1, last: false });
  const rows =
    await sql`select body_sealed, about_email_sealed from deliveries where destination_id = ${area}`;
  expect(rows.every((row) => row.body_sealed === null && row.about_email_sealed === null)).toBe(true);
  await sql`update deliveries set created_at = now() where destination_id = ${area}`;
  await resendDeliveries("members", seller.id, area, {
    from: new Date(Date.now() - HOUR),
    to: new Date(),
    all: true,
  });
  await sendQueued(area, saleId);
  expect(await openTo(right)).toEqual(["101", "103"]);
  const cleared = await sql`select from deliveries
    where destination_id = ${area} and body_sealed is not null and cleared_at is not null`;
  expect(cleared).toEqual([]);
});

test("a test of MemberKit shows its classes and opens nothing; a linked class that is missing is reported", async () => {
  const { area, seller, codes } = await openSchool("memberkit");
  const before = await app.sandbox.memberships();
  const attempted = await testMemberArea(seller.id, area, { email: "", item: "" });
  expect(attempted).toMatchObject({ status: "sent", classes: [{ id: 101 }, { id: 102 }, { id: 103 }] });
  expect((await showMemberArea(seller.id, area)).known[0]).toEqual({ id: 101, name: "Violão do zero" });
  await sql`update destinations set settings = settings || ${sql.json({ classes: [{ item: codes.product, ids: [999] }] })}
    where id = ${area}`;
  const wrong = await testMemberArea(seller.id, area, { email: "", item: "" });
  expect(wrong.text.text).toMatch(/não existe nesta conta/);
  expect(await app.sandbox.memberships()).toEqual(before);
});

test("of a long list of classes as many as the form lists are known, and their names are stored", async () => {
  const { area, seller } = await openSchool("memberkit", { classes: [] });
  const body = Array.from({ length: 250 }, (_, at) => ({
    ...{ id: 1000 + at, name: `Turma ${at}`, course_name: `Curso completo de violão ${at}`, users_count: 12 },
  }));
  await app.sandbox.fault({ service: "memberkit", route: "classrooms", mode: "status-200", body });
  const tested = await testMemberArea(seller.id, area, { email: "", item: "" });
  expect(tested.message).toBe("A chave foi aceita. Listamos as primeiras 200 turmas.");
  const [row] = await sql`select settings from destinations where id = ${area}`;
  expect(row!.settings.known).toHaveLength(200);
  const [delivery] = await sql`select response_body from deliveries where destination_id = ${area}`;
  expect(delivery!.response_body).not.toContain("Curso completo");
});

test("a test of Cademí opens one product to the e-mail that was typed", async () => {
  const { area, seller, codes } = await openSchool("cademi");
  const email = mailbox();
  const attempted = await testMemberArea(seller.id, area, { email, item: codes.bump });
  expect(attempted.status).toBe("sent");
  expect(await openTo(email)).toEqual([codes.bump]);
  const stranger = await openShop();
  const strange = { email, item: String(stranger.product.id) };
  await expect(testMemberArea(seller.id, area, strange)).rejects.toMatchObject({ field: "item" });
  await expect(testMemberArea(seller.id, area, { email: "ana", item: codes.bump })).rejects.toMatchObject({
    field: "email",
  });
});

test("two failed tests with four days between them pause no area, and mail its seller nothing", async () => {
  const { area, seller, codes } = await openSchool("memberkit");
  await sql`update destinations set settings = settings || ${sql.json({ classes: [{ item: codes.product, ids: [999] }] })}
    where id = ${area}`;
  for (let n = 0; n < 2; n++) {
    expect((await testMemberArea(seller.id, area, { email: "", item: "" })).status).toBe("refused");
    await sql`update destinations set failing_since = failing_since - interval '4 days' where id = ${area}`;
  }
  expect(await sql`select stopped_at, failing_since from destinations where id = ${area}`).toEqual([
    { stopped_at: null, failing_since: null },
  ]);
  const mails = await sql`select from mails where seller_id = ${seller.id} and kind = 'destination-stopped'`;
  expect(mails).toEqual([]);
});

/** Whether and why an area is stopped, and the mails that say so. */
async function stopOf(area: string, sellerId: string) {
  const [row] = await sql`select stopped_reason from destinations where id = ${area}`;
  const mails = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where seller_id = ${sellerId} and kind = 'destination-stopped'`,
  );
  return [row!.stopped_reason, mails.map(({ payload }) => payload.html)];
}

test.each(KINDS)("two openings that %s refuses with four days between them pause no area", async (kind) => {
  const school = await openSchool(kind);
  const { area, seller } = school;
  for (let n = 0; n < 2; n++) {
    const { saleId } = await buyIn(school, { email: mailbox() });
    await app.sandbox.fault({ service: kind, mode: "status-422" });
    await sendQueued(area, saleId);
    await sql`update destinations set failing_since = failing_since - interval '4 days' where id = ${area}`;
  }
  expect((await deliveriesOf(area)).map(({ reason }) => reason)).toEqual(["rejected", "rejected"]);
  expect(await stopOf(area, seller.id)).toEqual([null, []]);
});

test.each([
  ["second", 1, [null, []]],
  ["third", 2, ["failing", [expect.stringContaining("três dias nada do que enviamos é aceito lá.")]]],
] as const)(
  "an area that has accepted nothing for days is paused by the third sale that it refuses, however many it skips: the %s",
  async (_, before, stop) => {
    const school = await openSchool("cademi");
    const { area, seller, product } = school;
    for (let n = 0; n < before; n++) {
      const { id: saleId } = await makeSale(product, { status: "completed" });
      const attempt = { at: new Date().toISOString(), result: "rejected", status: 422, ms: 12 };
      const refused = { event: "access.granted", reason: "rejected", attempts: 1 } as const;
      await makeDelivery(seller, area, { saleId, ...refused, attemptLog: [attempt] });
    }
    await sql`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, status, reason)
      select ${area}, ${seller.id}, gen_random_uuid(), gen_random_uuid(), 'access.granted', 'dropped', 'no-class'
      from generate_series(1, 1000)`;
    await sql`update destinations set failing_since = now() - interval '4 days' where id = ${area}`;
    const { saleId } = await buyIn(school, { email: mailbox() });
    await app.sandbox.fault({ service: "cademi", mode: "status-422" });
    await sendQueued(area, saleId);
    expect(await stopOf(area, seller.id)).toEqual(stop);
  },
);
