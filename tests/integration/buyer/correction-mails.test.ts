import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { MailKind } from "#app/db/schema/mail-data.ts";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { MAIL_PRIORITY } from "#app/domain/mail/queue/priorities.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { dropReason } from "#app/domain/mail/sending/drop-reason.server.ts";
import { retryFailedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { mailRenderers } from "#app/domain/sale/mails/render-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts, makeMail, makeOwnSender, markSent, opened } from "#tests/support/rows/make-mail.ts";

const PIX = { pixCode: "00020126", expiresAt: null, notice: null };

const mailbox = () => `bia-${randomUUID()}@exemplo.com.br`;

async function sold(fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: mailbox(), ...fields });
  return { seller, product, sale, recipient: sale.customerEmail };
}

const mailsOf = ({ id }: { id: string }) =>
  sql`select kind, recipient, status from mails where sale_id = ${id} order by kind, recipient`;

const mailsTo = (recipient: string) =>
  sql`select kind, status from mails where recipient = ${recipient} order by kind`;

test("a correction changes no mail of another order with the same e-mail", async () => {
  const { product, sale, recipient } = await sold();
  const other = await makeSale(product, { status: "completed", customerEmail: recipient });
  const access = await makeMail({ kind: "access", recipient, saleId: other.id });
  await sql`update queued_mails set data = ${sql.json({ paidAt: "2026-11-25T12:00:00Z" })} where id = ${access}`;
  // The correction would redirect the one above, which can be rendered anew, and drop this one.
  await makeMail({ recipient, saleId: other.id });
  await correctEmail(sale.id, mailbox());
  expect(await mailsOf(other)).toEqual([
    { kind: "access", recipient, status: "attempting" },
    { kind: "purchase", recipient, status: "attempting" },
  ]);
});

test("a notification of an earlier correction is still sent after a later one from the same e-mail", async () => {
  const { sale, recipient } = await sold();
  for (const to of [mailbox(), recipient, mailbox()]) await correctEmail(sale.id, to);
  const notices = (await mailsTo(recipient)).filter(({ kind }) => kind === "email-corrected");
  expect(notices.map(({ status }) => status)).toEqual(["attempting", "attempting"]);
});

test("a correction redirects each kind of mail that waits for the buyer, and no other", async () => {
  const { sale, recipient } = await sold();
  const kinds = Object.keys(MAIL_PRIORITY) as MailKind[];
  for (const kind of kinds) {
    const id = await makeMail({ kind, recipient, saleId: sale.id });
    if (kind in mailRenderers)
      await sql`update queued_mails set data = '{}', body_sealed = null where id = ${id}`;
  }
  const to = mailbox();
  await correctEmail(sale.id, to);
  const moved =
    await sql`select kind from mails where sale_id = ${sale.id} and recipient = ${to} and status = 'attempting'`;
  expect(moved.map(({ kind }) => kind).sort()).toEqual([
    ...["access", "dispute-access", "payment-news", "pix", "purchase", "refund", "refund-news", "reminder"],
    ...["shop-closed", "shop-reopened", "upsell"],
  ]);
  const stayed =
    await sql`select count(*)::int as n from mails where sale_id = ${sale.id} and recipient = ${recipient}
    and status = 'attempting'`;
  // The old address is notified of the correction.
  expect(stayed).toEqual([{ n: kinds.length - moved.length + 1 }]);
  const [news] = opened(
    await sql`select * from ${mailsWithTexts()} where sale_id = ${sale.id} and kind = 'refund-news'`,
  );
  expect(news!.payload).toMatchObject({ to, subject: "Sua compra" });
});

test("news that could not be sent to the old e-mail yet goes to the new one", async () => {
  const { sale, recipient } = await sold();
  for (const kind of ["dispute-access", "payment-news", "refund", "refund-news", "shop-closed"] as const) {
    const id = await makeMail({ kind, recipient, saleId: sale.id });
    await sql`update queued_mails set attempts = 1, claimed_at = ${kind === "refund" ? new Date() : null} where id = ${id}`;
    if (kind in mailRenderers) await sql`update queued_mails set data = '{}' where id = ${id}`;
  }
  const to = mailbox();
  await correctEmail(sale.id, to);
  expect(await mailsTo(to)).toEqual(
    ["access", "dispute-access", "payment-news", "refund", "refund-news", "shop-closed"].map((kind) => ({
      ...{ kind, status: "attempting" },
    })),
  );
  const [news] = opened(
    await sql`select * from ${mailsWithTexts()} where sale_id = ${sale.id} and kind = 'refund-news' and recipient = ${to}`,
  );
  expect(news!.payload).toMatchObject({ to, subject: "Sua compra" });
});

test("news that was given up at the old e-mail goes to the new one; what was refused or is untrue by now does not", async () => {
  const { sale, recipient } = await sold();
  const fail = async (kind: MailKind, failure: string, data = {}) => {
    const id = await makeMail({ kind, recipient, saleId: sale.id });
    await sql`update queued_mails set scheduled_at = null, attempts = 3, data = ${sql.json(data)} where id = ${id}`;
    await sql`update mails set status = 'failed', failure = ${failure}, failed_at = now(), attempts = 3 where id = ${id}`;
    return id;
  };
  await fail("refund", "gave-up");
  await fail("payment-news", "account");
  await fail("dispute-access", "gave-up", { what: "opened" });
  const refused = await fail("refund-news", "refused");
  await sql`delete from queued_mails where id = ${refused}`;
  const to = mailbox();
  await correctEmail(sale.id, to);
  const kinds = ["access", "dispute-access", "payment-news", "refund"];
  expect(await mailsTo(to)).toEqual(kinds.map((kind) => ({ kind, status: "attempting" })));
  const claimed = (await claimMails(100)).filter((mail) => mail.recipient === to);
  const dropped = claimed.filter((mail) => dropReason(mail) !== null).map(({ kind }) => kind);
  expect(dropped).toEqual(["dispute-access"]);
  expect((await mailsTo(recipient)).map(({ kind, status }) => [kind, status])).toEqual([
    ["dispute-access", "failed"],
    ["email-corrected", "attempting"],
    ["payment-news", "failed"],
    ["refund", "failed"],
    ["refund-news", "failed"],
  ]);
});

test("a code that waits to be mailed is moved to the new e-mail, and does not replace the access", async () => {
  const { sale, recipient } = await sold();
  const id = await makeMail({ kind: "pix", recipient, saleId: sale.id });
  await sql`update queued_mails set data = ${sql.json(PIX)} where id = ${id}`;
  const to = mailbox();
  await correctEmail(sale.id, to);
  expect((await mailsTo(to)).map(({ kind }) => kind)).toEqual(["access", "pix"]);
});

test("an e-mail that received nothing of an order is not notified, and no code goes to the new one", async () => {
  const { seller, product, sale, recipient } = await sold({ status: "pending" });
  await makeCharge(sale, { pixCode: PIX.pixCode });
  const other = await makeSale(product, { customerEmail: recipient });
  await markSent(await makeMail({ kind: "pix", recipient, saleId: other.id }));
  await markSent(await makeMail({ kind: "failed-payment", recipient: seller.email, saleId: sale.id }));
  const bounced = await makeMail({ kind: "reminder", recipient, saleId: sale.id });
  await markSent(bounced);
  await sql`update mails set status = 'failed', failure = 'refused', bounced_at = now() where id = ${bounced}`;
  const dropped = await makeMail({ kind: "pix", recipient, saleId: sale.id });
  await sql`delete from queued_mails where id = ${dropped}`;
  await sql`update mails set status = 'failed', failure = 'dropped' where id = ${dropped}`;
  const before = await mailsOf(sale);
  expect(before).toHaveLength(3);
  await correctEmail(sale.id, mailbox());
  expect(await mailsOf(sale)).toEqual(before);
});

test("a code that is being sent goes to the new e-mail as well, and the old one is notified", async () => {
  const { sale, recipient } = await sold({ status: "pending" });
  await makeCharge(sale, { pixCode: PIX.pixCode });
  const id = await makeMail({ kind: "pix", recipient, saleId: sale.id });
  await sql`update queued_mails set attempts = 1, claimed_at = now() where id = ${id}`;
  const to = mailbox();
  await correctEmail(sale.id, to);
  expect(await mailsTo(to)).toEqual([{ kind: "pix", status: "attempting" }]);
  expect(await mailsTo(recipient)).toEqual([
    { kind: "email-corrected", status: "attempting" },
    { kind: "pix", status: "attempting" },
  ]);
});

test("after a second correction the code goes to the third e-mail once", async () => {
  const { sale, recipient } = await sold({ status: "pending" });
  await makeCharge(sale, { pixCode: PIX.pixCode });
  await markSent(await makeMail({ kind: "pix", recipient, saleId: sale.id }));
  await correctEmail(sale.id, mailbox());
  const third = mailbox();
  await correctEmail(sale.id, third);
  expect(await mailsTo(third)).toEqual([{ kind: "pix", status: "attempting" }]);
});

test("of several charges the newest with a code that can be paid is mailed again", async () => {
  const { sale, recipient } = await sold({ status: "pending" });
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  await makeCharge(sale, { pixCode: "código antigo", createdAt: ago(40) });
  await makeCharge(sale, { pixCode: PIX.pixCode, createdAt: ago(30) });
  await makeCharge(sale, { status: "cancelled", pixCode: "código cancelado", createdAt: ago(20) });
  await makeCharge(sale, { createdAt: ago(10) });
  await markSent(await makeMail({ kind: "pix", recipient, saleId: sale.id }));
  const to = mailbox();
  await correctEmail(sale.id, to);
  const codes = await sql`select data ->> 'pixCode' as code from ${mailsWithTexts()} where recipient = ${to}`;
  expect(codes).toEqual([{ code: PIX.pixCode }]);
});

test("a mail that was given up is not sent to the old e-mail when failed mails are sent again", async () => {
  const since = new Date(Date.now() - MINUTE);
  const { sale, recipient } = await sold();
  const id = await makeMail({ recipient, saleId: sale.id });
  await sql`update queued_mails set scheduled_at = null, attempts = 12 where id = ${id}`;
  await sql`update mails set status = 'failed', failure = 'gave-up', failed_at = now(), attempts = 12 where id = ${id}`;
  await correctEmail(sale.id, mailbox());
  expect(await retryFailedMails(since, new Date(Date.now() + MINUTE))).toBe(0);
  const [mail] = await sql`select status, failure, error from mails where id = ${id}`;
  expect(mail).toEqual({
    status: "failed",
    failure: "dropped",
    error: "O e-mail da compra foi corrigido antes do envio.",
  });
});

test("a mail that was being sent during the correction is not attempted again at the old e-mail", async () => {
  const { sale, recipient } = await sold();
  const id = await makeMail({ recipient, saleId: sale.id });
  await sql`update queued_mails set claimed_at = now(), attempts = 1 where id = ${id}`;
  await correctEmail(sale.id, mailbox());
  // As the attempt leaves it that failed for a moment.
  await sql`update queued_mails set claimed_at = null, leased_until = null, scheduled_at = now() where id = ${id}`;
  const claimed = (await claimMails(100)).find((mail) => mail.id === id);
  expect(dropReason(claimed!)).toBe("O e-mail da compra foi corrigido antes do envio.");
});

test("answers to the notice of a correction go to the sender's address, where the seller chose one", async () => {
  for (const sender of ["contato@exemplo.com.br", null]) {
    const { seller, sale, recipient } = await sold();
    if (sender) await makeOwnSender(seller, { address: sender });
    await correctEmail(sale.id, mailbox());
    const [notice] = opened(
      await sql`select * from ${mailsWithTexts()} where recipient = ${recipient} and kind = 'email-corrected'`,
    );
    expect(notice!.payload.replyTo).toBe(sender ?? seller.email);
  }
});

test.each([
  ["completed", "O acesso vai agora para z•••@exemplo.com.br"],
  ["refunded", "Os e-mails desta compra vão agora para z•••@exemplo.com.br"],
  ["pending", "Os e-mails desta compra vão agora para z•••@exemplo.com.br"],
] as const)("the old e-mail of a %s sale reads what goes to the new one", async (status, expected) => {
  const { seller, sale, recipient } = await sold({ status });
  await markSent(await makeMail({ recipient, saleId: sale.id }));
  await editCustomer(seller.id, sale.id, { name: "Zoe", email: `z${mailbox()}` });
  const [notice] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where sale_id = ${sale.id} and kind = 'email-corrected'`,
  );
  expect(notice!.payload.html).toContain(expected);
});
