import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { closeAccount, reopenAccount } from "#app/domain/erasure/close-account.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { mailClosings } from "#tests/integration/erasure/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

const close = (seller: { id: string }) => closeAccount({ id: seller.id, sessionId: randomUUID() });
const mailsOf = (seller: { id: string }) =>
  sql<{ id: string; recipient: string; saleId: string; priority: number; data: { closedAt: string } }[]>`
    select id, recipient, sale_id as "saleId", priority, data from ${mailsWithTexts()}
    where seller_id = ${seller.id} and kind = 'shop-closed' order by recipient`;
const address = (name: string) => `${name}-${randomUUID()}@exemplo.com.br`;

test("a closing is mailed once to each buyer with access: until when, and where to download it", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [twice, refunded, unpaid] = [address("ana"), address("bia"), address("caio")];
  await makeSale(product, { status: "completed", customerEmail: twice, completedAt: new Date("2026-01-01") });
  const newest = await makeSale(product, { status: "completed", customerEmail: twice });
  await makeSale(product, { status: "refunded", customerEmail: refunded, refundedAt: new Date() });
  await makeSale(product, { status: "pending", customerEmail: unpaid });
  await makeSale(product, { status: "completed", customerEmail: null });
  const other = await makeSeller();
  await makeSale(await makeProduct(other), { status: "completed", customerEmail: twice });
  await close(seller);
  expect(await mailClosings(seller.id)).toBe(1);
  const [mail, ...others] = await mailsOf(seller);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ recipient: twice, saleId: newest.id, priority: 3 });
  expect(await mailsOf(other)).toEqual([]);
  const day = formatDate(anonymizationDate(new Date(mail!.data.closedAt)));
  const { mail: written } = await renderMail({
    kind: "shop-closed",
    saleId: newest.id,
    recipient: twice,
    data: mail!.data,
  });
  expect(written.subject).toBe(`Baixe o que você comprou até ${day}: ${product.name}`);
  expect(written.html).toContain(`termina em <strong>${day}</strong>`);
  expect(written.html).toContain(`/thank-you/${newest.id}`);
  expect(written.html).toContain("/minhas-compras");
});

test("many buyers are mailed in batches, none twice, also where a batch runs again", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const mark = randomUUID();
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, status, completed_at, customer_email)
    select ${seller.id}, ${product.id}, 9700, ${mark} || n, 'completed', now() - make_interval(mins => n / 7), ${mark} || n % 400 || '@exemplo.com.br'
    from generate_series(1, 450) n`;
  // As many orders as a batch has were not paid.
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key)
    select ${seller.id}, ${product.id}, 9700, 'unpaid-' || n from generate_series(1, 200) n`;
  await close(seller);
  const [first] = await sql`select j.payload from graphile_worker._private_jobs j
    where j.payload ->> 'sellerId' = ${seller.id}`;
  expect(await mailClosings(seller.id)).toBe(3);
  expect(await mailsOf(seller)).toHaveLength(400);
  await sql`select queue_job('mail-closing', ${first!.payload}::json, now(), 25, 0, null)`;
  expect(await mailClosings(seller.id)).toBe(3);
  expect(await mailsOf(seller)).toHaveLength(400);
});

test("an account that was reopened mails nobody, and one closed again mails for that closing alone", async () => {
  const seller = await makeSeller();
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: address("ana") });
  await close(seller);
  await reopenAccount(seller.id);
  expect(await mailClosings(seller.id)).toBe(1);
  expect(await mailsOf(seller)).toEqual([]);
  await close(seller);
  await reopenAccount(seller.id);
  await close(seller);
  expect(await mailClosings(seller.id)).toBe(2);
  const [{ closed_at: closedAt }] = (await sql`select closed_at from sellers where id = ${seller.id}`) as [
    { closed_at: Date },
  ];
  expect(await mailsOf(seller)).toMatchObject([{ data: { closedAt: closedAt.toISOString() } }]);
});

test("mails that still wait when the account is reopened are not sent", async () => {
  const seller = await makeSeller();
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: address("ana") });
  await close(seller);
  await mailClosings(seller.id);
  await reopenAccount(seller.id);
  expect(
    await sql`select status, failure, error from mails where seller_id = ${seller.id} and kind = 'shop-closed'`,
  ).toEqual([{ status: "failed", failure: "dropped", error: "A loja foi reaberta." }]);
});

test("the mails wait an hour, so that a mistaken closing reaches no buyer", async () => {
  const seller = await makeSeller();
  await close(seller);
  const [job] = await sql`select j.run_at - s.closed_at = interval '1 hour' as "isLater"
    from graphile_worker._private_jobs j, sellers s where s.id = ${seller.id} and j.payload ->> 'sellerId' = s.id::text`;
  expect(job).toEqual({ isLater: true });
});
