import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { MailData, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import {
  findCorrectablePurchase,
  requestEmailCorrection,
} from "#app/domain/buyer/request-email-correction.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { cancelEmailChange } from "#app/domain/identity/email/cancel-email-change.server.ts";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { resendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { saveProfile } from "#app/domain/identity/save-profile.server.ts";
import { LINK_LIFETIMES } from "#app/domain/mail/queue/link-lifetimes.ts";
import { MAIL_READER } from "#app/domain/mail/queue/mail-readers.ts";
import { type NewMail, queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { retryFailedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, makeMail } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
const at = new Date().toISOString();

/** A sale, a paid charge, refund and dispute of it, and the mail that waits since its provider was too busy. */
async function waitingMail<K extends RenderedMailKind>({
  kind,
  data,
  status = "completed",
  set = "status = status",
  key = "",
}: {
  kind: K;
  data: MailData[K];
  status?: SaleStatus;
  set?: string;
  key?: "" | "charge" | "refund" | "dispute";
}) {
  const customerEmail = `bia-${randomUUID()}@exemplo.com.br`;
  const seller = await makeSeller();
  const email = MAIL_READER[kind] === "seller" ? seller.email : customerEmail;
  const sale = await makeSale(await makeProduct(seller), { status, customerEmail });
  await sql.unsafe(`update sales set ${set} where id = $1`, [sale.id]);
  const charge = await makeCharge(sale, { status: "paid" });
  const [refund] =
    await sql`insert into refunds (seller_id, charge_id, amount_cents, status, origin, ended_at)
    values (${sale.sellerId}, ${charge.id}, 9700, 'unconfirmed', 'requested', now()) returning id`;
  const [dispute] = await sql`insert into disputes (seller_id, sale_id, amount_cents, origin)
    values (${sale.sellerId}, ${sale.id}, 9700, 'provider') returning id`;
  const ids = { "": randomUUID(), charge: charge.id, refund: refund!.id, dispute: dispute!.id };
  const [event] = [data && "what" in data ? data.what : kind];
  const idempotencyKey =
    kind === "payment-news" ? `payment-news/${event}/${ids[key]}` : `${kind}/${ids[key]}/${event}`;
  const mail = {
    kind,
    data,
    saleId: sale.id,
    sellerId: sale.sellerId,
    recipient: email,
    idempotencyKey,
  };
  const id = (await db.transaction((tx) => queueMail(tx, mail as NewMail)))!;
  await app.sandbox.fault({ service: "resend", mode: "http-429" });
  expect(await attempt(id)).toBe("again");
  return { id, email, change: (text: string) => sql.unsafe(text, [sale.id]) };
}

const payment = { amountCents: 9700, at };
const REFUNDED = "update sales set status = 'refunded', refunded_at = now() where id = $1";
const RETURNED = `insert into refunds (seller_id, charge_id, amount_cents, status, origin, ended_at)
  select seller_id, id, paid_cents, 'done', 'observed', now() from charges where sale_id = $1`;
const SUSPENDED = "update sales set status = 'disputed', access_suspended_at = now() where id = $1";
const suspended = { status: "disputed", set: "access_suspended_at = now()" } as const;
const CHANGED_ACCESS = "Não enviado: o acesso à compra mudou outra vez.";
const RETURNED_PAYMENT = "Não enviado: este pagamento já foi devolvido.";

const OBSOLETE: [string, Parameters<typeof waitingMail>[0], string, string][] = [
  [
    "a part of the price was refunded, once the rest was, too",
    { kind: "payment-news", data: { ...payment, what: "part-returned", isRecorded: false } },
    REFUNDED,
    "Não enviado: o valor da compra já foi devolvido.",
  ],
  [
    "a card was declined, once the order is paid",
    { kind: "payment-news", data: { ...payment, what: "card-declined" }, status: "pending" },
    "update sales set status = 'completed', completed_at = now() where id = $1",
    "Não enviado: a compra já foi paga.",
  ],
  [
    "the access is suspended, once it is not",
    { kind: "dispute-access", data: { what: "opened", amountCents: 9700 }, ...suspended },
    "update sales set access_suspended_at = null where id = $1",
    CHANGED_ACCESS,
  ],
  [
    "the access is suspended, once the bank has decided",
    { kind: "dispute-access", data: { what: "opened", amountCents: 9700 }, ...suspended },
    "update sales set status = 'chargedback', access_suspended_at = null where id = $1",
    CHANGED_ACCESS,
  ],
  [
    "the access is back, once it is suspended again",
    { kind: "dispute-access", data: { what: "won", amountCents: 9700 } },
    SUSPENDED,
    CHANGED_ACCESS,
  ],
  [
    "the access is back by the seller's choice, once it is suspended again",
    { kind: "dispute-access", data: { what: "restored", amountCents: 9700 }, status: "disputed" },
    SUSPENDED,
    CHANGED_ACCESS,
  ],
  [
    "an automatic refund was not made, once the payment was refunded",
    { kind: "payment-news", data: { ...payment, what: "refund-failed" }, key: "charge" },
    RETURNED,
    RETURNED_PAYMENT,
  ],
  [
    "the seller was told to refund an overpayment, once it was refunded",
    { kind: "payment-news", data: { ...payment, what: "overpaid" }, key: "charge" },
    RETURNED,
    RETURNED_PAYMENT,
  ],
  [
    "the seller was told to refund a wrong amount, once it was refunded",
    { kind: "payment-news", data: { ...payment, what: "mismatched" }, key: "charge", status: "pending" },
    RETURNED,
    RETURNED_PAYMENT,
  ],
  [
    "the seller has to refund an overpayment, once it was refunded",
    { kind: "surplus", data: { amountCents: 9700 }, key: "charge" },
    RETURNED,
    RETURNED_PAYMENT,
  ],
  [
    "the seller has to refund a wrong amount, once it was refunded",
    { kind: "wrong-amount", data: { amountCents: 100 }, key: "charge" },
    RETURNED,
    RETURNED_PAYMENT,
  ],
  [
    "a refund was not confirmed, once it was",
    { kind: "unconfirmed-refund", data: { amountCents: 9700, requestedAt: at }, key: "refund" },
    "update refunds set status = 'done' where charge_id = (select id from charges where sale_id = $1)",
    "Não enviado: o reembolso já foi confirmado.",
  ],
  [
    "a refund was not confirmed, once the bank has taken the payment",
    { kind: "unconfirmed-refund", data: { amountCents: 9700, requestedAt: at }, key: "refund" },
    "update sales set status = 'chargedback' where id = $1",
    RETURNED_PAYMENT,
  ],
  [
    "a refund was refused, once the payment was refunded by another one",
    {
      ...{ kind: "unconfirmed-refund", key: "refund" },
      data: { amountCents: 9700, requestedAt: at, isRejected: true },
    },
    RETURNED,
    RETURNED_PAYMENT,
  ],
  [
    "the seller has to answer a dispute, once it was decided",
    {
      ...{ kind: "dispute", key: "dispute", status: "disputed" },
      data: { what: "opened", amountCents: 9700, suspends: false },
    },
    "update disputes set status = 'won', decided_at = now() where sale_id = $1",
    "Não enviado: a contestação já foi decidida.",
  ],
];

test.each(OBSOLETE)("no mail says that %s", async (_, fields, change, error) => {
  const mail = await waitingMail(fields);
  await mail.change(change);
  expect(await attempt(mail.id)).toBe("done");
  expect(await app.sandbox.emails(mail.email)).toEqual([]);
  expect(await mailRow(mail.id)).toMatchObject({ status: "failed", failure: "dropped", error });
});

test.each(OBSOLETE)("no command sends again that %s", async (_, fields, change) => {
  const mail = await waitingMail(fields);
  await mail.change(change);
  await sql`update queued_mails set scheduled_at = null where id = ${mail.id}`;
  await sql`update mails set status = 'failed', failure = 'gave-up', failed_at = now() where id = ${mail.id}`;
  const now = Date.now();
  await retryFailedMails(new Date(now - MINUTE), new Date(now + MINUTE));
  expect(await mailRow(mail.id)).toMatchObject({ status: "failed", failure: "gave-up" });
});

test.each(OBSOLETE)("while it is true, a mail says that %s", async (_, fields) => {
  const mail = await waitingMail(fields);
  expect(await attempt(mail.id)).toBe("done");
  expect(await app.sandbox.emails(mail.email)).toHaveLength(1);
});

test("a partial refund promises no access, which may be suspended when its mail arrives", async () => {
  const data = { ...payment, what: "part-returned", isRecorded: false } as const;
  const mail = await waitingMail({ kind: "payment-news", data });
  await mail.change(SUSPENDED);
  expect(await attempt(mail.id)).toBe("done");
  const [sent] = await app.sandbox.emails(mail.email);
  expect(sent!.body.text).not.toContain("acesso continua");
  expect(sent!.body.text).toContain("Esta devolução não muda o seu acesso.");
});

test.each([
  ["refund-news", "by-hand", "refunded", 0],
  ["refund-news", "delayed", "refunded", 0],
  ["refund-news", "unconfirmed", "refunded", 0],
  ["refund-news", "accepted", "refunded", 1],
  ["refund-news", "accepted", "chargedback", 0],
  ["refund-asked", "by-hand", "refunded", 0],
  ["refund-asked", "asked-by-hand", "refunded", 0],
  ["refund-asked", "asked-by-hand", "completed", 1],
  ["refund-news", "asked-by-hand", "refunded", 0],
  ["refund-news", "answered-by-hand", "refunded", 0],
  ["refund-asked", "asked", "chargedback", 0],
  ["refund-asked", "asked", "refunded", 1],
  ["refund-asked", "by-hand", "completed", 1],
] as const)(
  "of a refund request, %s/%s of a sale that is %s is sent %i times",
  async (kind, event, status, sent) => {
    const customerEmail = `bia-${randomUUID()}@exemplo.com.br`;
    const sale = await makeSale(await makeProduct(await makeSeller()), {
      status: "completed",
      customerEmail,
    });
    const id = await makeMail({ kind, saleId: sale.id, idempotencyKey: `${kind}/${event}/${randomUUID()}` });
    await sql`update sales set status = ${status}, refunded_at = case when ${status} = 'refunded' then now() end where id = ${sale.id}`;
    expect(await attempt(id)).toBe("done");
    expect(await app.sandbox.emails((await mailRow(id)).recipient)).toHaveLength(sent);
  },
);

test("nobody is reminded of an order whose product they bought in another one meanwhile", async () => {
  const product = await makeProduct(await makeSeller());
  const order = await makeSale(product, {
    status: "pending",
    customerEmail: `bia-${randomUUID()}@exemplo.com.br`,
  });
  const id = await makeMail({ kind: "reminder", saleId: order.id });
  await makeSale(product, { status: "completed", customerEmail: order.customerEmail });
  expect(await attempt(id)).toBe("done");
  expect((await mailRow(id)).error).toBe("Não enviado: o produto já foi comprado em outro pedido.");
});

/** What requests each mail whose link ends. */
const LINK_MAILS = {
  "buyer-link": (sale: { customerEmail: string }) => sendPortalLink(sale.customerEmail),
  "correct-email": async (sale: { id: string }) =>
    requestEmailCorrection(await findCorrectablePurchase(sale.id), `nova-${randomUUID()}@exemplo.com.br`),
  "reset-password": (_: object, seller: { email: string }) => requestPasswordReset(seller.email),
  "confirm-email": async (_: object, seller: { id: string; email: string }) => {
    await sql`update sellers set email_verified_at = null where id = ${seller.id}`;
    await resendConfirmation(seller.email);
  },
};

test.each(Object.keys(LINK_MAILS) as (keyof typeof LINK_MAILS)[])(
  "a mail that is sent late says until when its link works, and none is sent after that (%s)",
  async (kind) => {
    const seller = await makeSeller();
    const customerEmail = `bia-${randomUUID()}@exemplo.com.br`;
    const sale = await makeSale(await makeProduct(seller), { status: "completed", customerEmail });
    const request = async () => {
      await LINK_MAILS[kind]({ id: sale.id, customerEmail }, seller);
      const [mail] =
        await sql`select id, recipient from mails where kind = ${kind} and status = 'attempting'`;
      return mail as { id: string; recipient: string };
    };
    const makeOlder = (id: string, ms: number) =>
      sql`update queued_mails set created_at = created_at - ${ms} * interval '1 ms' where id = ${id}`;
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"] });
    const ends = new Date(Date.now() + LINK_LIFETIMES[kind]);
    const mail = await request();
    vi.useRealTimers();
    await makeOlder(mail.id, LINK_LIFETIMES[kind] - MINUTE);
    expect(await attempt(mail.id)).toBe("done");
    const [sent] = await app.sandbox.emails(mail.recipient);
    expect(sent!.body.text).toContain(`vale até ${formatDateTime(ends)}`);
    const late = await request();
    await makeOlder(late.id, LINK_LIFETIMES[kind]);
    expect(await attempt(late.id)).toBe("done");
    expect(await mailRow(late.id)).toMatchObject({ status: "failed", failure: "dropped" });
    expect(await app.sandbox.emails(mail.recipient)).toHaveLength(1);
  },
);

test.each([
  ["is cancelled", (id: string) => cancelEmailChange(id)],
  ["is replaced by another one", (id: string) => changeTo(id, `outra-${randomUUID()}@exemplo.com.br`)],
])("no mail asks to confirm a change of the e-mail that %s while it waits", async (_, end) => {
  const { id, email } = await makeSeller();
  const [mistyped, own] = [`errada-${randomUUID()}@exemplo.com.br`, email];
  await changeTo(id, mistyped);
  await end(id);
  await requestPasswordReset(own);
  const [mail] = await sql`select id from mails where recipient = ${mistyped}`;
  const [other] = await sql`select id from mails where recipient = ${own} and kind = 'reset-password'`;
  for (const one of [mail!, other!]) expect(await attempt(one.id)).toBe("done");
  expect(await mailRow(mail!.id)).toMatchObject({
    ...{ status: "failed", failure: "dropped", error: "Não enviado: o link do e-mail já não valia." },
  });
  expect(await app.sandbox.emails(mistyped)).toEqual([]);
  expect(await mailRow(other!.id)).toMatchObject({ status: "sent" });
});

const changeTo = (id: string, email: string) =>
  saveProfile(id, { name: "Vera", company: "", phone: null, email });
