import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { queueFailedPaymentMail } from "#app/domain/sale/mails/queue-failed-payment-mail.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, plansByIndex, sql } from "#tests/support/database.ts";
import { makeGateway, makeSale } from "#tests/support/make.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });

/** A shop with PushinPay first and Woovi as its spare. */
async function shop() {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  const ordered = async () => {
    const email = `${crypto.randomUUID()}@exemplo.com.br`;
    const customer = { name: "Bia", email, phone: null, document: null };
    return (await placeSale(order(product.id, { customer }))).saleId;
  };
  return { seller, ordered };
}

const refuse = (service: "pushinpay" | "woovi") =>
  app.sandbox.fault({
    ...{ service, mode: "status-401", times: 1, body: { message: "Não.", error: "Não." } },
    route: service === "woovi" ? "create" : "cashIn",
  });

/** The keys of a seller's mails of a kind, without the kind. */
async function mailedOf(sellerId: string, kind: string): Promise<string[]> {
  const rows = await sql`select idempotency_key as key from mails
    where seller_id = ${sellerId} and kind = ${kind} order by 1`;
  return rows.map(({ key }) => key.slice(kind.length + 1));
}

test("the mail of a refused key names its provider, and hides no other account's within the hour", async () => {
  const { seller, ordered } = await shop();
  const saleId = await ordered();
  for (const service of ["pushinpay", "woovi"] as const) await refuse(service);
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  const both = ["pushinpay", "woovi"].map((provider) => expect.stringContaining(`/credentials/${provider}`));
  expect(await mailedOf(seller.id, "failed-payment")).toEqual(both);
  const mails = await sql<{ recipient: string; data: MailData["failed-payment"] }[]>`
    select m.recipient, q.data from mails m inner join queued_mails q on q.id = m.id
    where m.sale_id = ${saleId} order by m.idempotency_key`;
  const rendered = await Promise.all(
    mails.map((one) => renderMail({ kind: "failed-payment", saleId, ...one })),
  );
  for (const [index, name] of ["A PushInPay", "A Woovi"].entries())
    expect(rendered[index]!.mail.html).toContain(`${name} não aceitou a sua chave`);
  // Of each at most one an hour.
  for (const service of ["pushinpay", "woovi"] as const) await refuse(service);
  await expect(startPix(await ordered())).rejects.toMatchObject({ kind: "unavailable" });
  expect(await mailedOf(seller.id, "failed-payment")).toEqual(both);
});

test("an order that fails reads two keys and the mails of its sale, however many its seller has", async () => {
  const { seller, product } = await openShop();
  await sql`insert into mails (id, seller_id, kind, recipient, idempotency_key, status)
    select gen_random_uuid(), ${seller.id}, 'new-sale', ${seller.email}, 'new-sale/' || gen_random_uuid(), 'sent'
    from generate_series(1, 5000)`;
  await sql`analyze mails`;
  const { id } = await makeSale(product);
  const failure = { why: "credentials", detail: "Não.", provider: "pushinpay" } as const;
  const { statements } = await countStatements(() => queueFailedPaymentMail(db, id, failure));
  const look = statements.find((text) => text.startsWith('select "id" from "mails"'));
  const [plan] = await plansByIndex([`(generic_plan) ${look}`]);
  const indexes = [...plan!.matchAll(/Index (?:Only )?Scan (?:using|on) (\w+)/g)].map(([, name]) => name);
  expect(indexes.sort(), plan).toEqual(["mails_idempotency_key", "mails_sale_idx"]);
});

test("a key that is refused while a spare creates the codes is mailed once a day while it lasts", async () => {
  const { seller, ordered } = await shop();
  const [account] =
    await sql`select key_id from gateway_accounts where seller_id = ${seller.id} and provider = 'pushinpay'`;
  const today = [expect.stringMatching(`^refused-key/${account!.key_id}/\\d{4}-`)];
  for (let time = 0; time < 2; time++) {
    await refuse("pushinpay");
    await startPix(await ordered());
    expect(await mailedOf(seller.id, "gateway-trouble")).toEqual(today);
  }
  expect(await mailedOf(seller.id, "failed-payment")).toEqual([]);
  const [mail] = opened(
    await sql`select kind, body_sealed from ${mailsWithTexts()} where seller_id = ${seller.id} and kind = 'gateway-trouble'`,
  );
  expect(mail!.payload.subject).toBe("A PushInPay recusou a sua chave");
  expect(mail!.payload.html).toContain("outro provedor seu gera os códigos PIX");
  await sql`update mails set idempotency_key = regexp_replace(idempotency_key, '[^/]+$', 'yesterday')
    where seller_id = ${seller.id} and kind = 'gateway-trouble'`;
  await startPix(await ordered());
  expect(await mailedOf(seller.id, "gateway-trouble")).toHaveLength(1);
  await refuse("pushinpay");
  await startPix(await ordered());
  expect(await mailedOf(seller.id, "gateway-trouble")).toHaveLength(2);
});
