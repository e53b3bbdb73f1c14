import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { anonymizeShop } from "#app/domain/erasure/anonymize-shop.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { queueAmountMismatchMail } from "#app/domain/sale/mails/queue-amount-mismatch-mail.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { attempt } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });

/** A sale of a seller whose closed account was anonymized, and which got an e-mail again. */
async function saleOfClosed() {
  const seller = await makeSeller();
  const customerEmail = `bia-${randomUUID()}@exemplo.com.br`;
  const sale = await makeSale(await makeProduct(seller), { status: "completed", customerEmail });
  await db.transaction((tx) => anonymizeShop(tx, seller.id));
  return sale;
}

test("nothing is mailed to the seller of an account that was closed and anonymized", async () => {
  const { id: saleId, sellerId } = await saleOfClosed();
  await db.transaction(async (tx) => {
    await queueAmountMismatchMail(tx, saleId, randomUUID(), { amountCents: 100 });
    await queueSecurityMail(tx, sellerId, { change: "account-closed" });
  });
  expect(await sql`select kind from mails where seller_id = ${sellerId}`).toEqual([]);
});

test("answers to a mail of such an account go to whoever sent it, and to no address that does not exist", async () => {
  const { id: saleId, sellerId, customerEmail: recipient } = await saleOfClosed();
  const data = { paidAt: new Date().toISOString() };
  const idempotencyKey = `access/${saleId}`;
  const id = await queueMail(db, { kind: "access", data, saleId, sellerId, recipient, idempotencyKey });
  expect(await attempt(id!)).toBe("done");
  const [mail] = await app.sandbox.emails(recipient);
  expect(JSON.stringify(mail!.body)).not.toContain("conta.invalid");
});
