import { expect, test } from "vitest";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, markPaid } from "#tests/support/make.ts";
import { markSent } from "#tests/support/rows/make-mail.ts";

/** A paid sale whose access mail came back. */
async function bounced() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { customerEmail: `bia-${crypto.randomUUID()}@exemplo.com.br` });
  await markPaid(sale.id);
  await bounce(sale.id);
  const items = () => findActionItems(seller.id);
  expect(await items()).toMatchObject([
    { kind: "access-undelivered", saleId: sale.id, amountCents: sale.amountCents, productName: product.name },
  ]);
  return { seller, sale, items };
}

/** As the mail provider's webhook does it, to the newest access mail; a moment later than what was queued before. */
async function bounce(saleId: string): Promise<void> {
  const [mail] = await sql`select id from mails where sale_id = ${saleId} and kind in ('purchase', 'access')
    order by created_at desc limit 1`;
  await markSent(mail!.id);
  await sql`update mails set status = 'failed', failure = 'refused', failed_at = now(), bounced_at = now() where id = ${mail!.id}`;
}

test("an access mail that bounced waits for the seller until it is sent again, and again if that bounces", async () => {
  const { seller, sale, items } = await bounced();
  expect(await resendAccess(seller.id, sale.id)).toMatchObject({ mail: "queued" });
  expect(await items()).toEqual([]);
  await bounce(sale.id);
  expect(await items()).toMatchObject([{ kind: "access-undelivered" }]);
  expect(await resendAccess(seller.id, sale.id)).toMatchObject({ mail: "queued" });
});

test("the address corrected by buyer or seller ends it", async () => {
  for (const correct of [
    ({ id }: { id: string }) => correctEmail(id, "certo@exemplo.com.br"),
    ({ id }: { id: string }, seller: { id: string }) =>
      editCustomer(seller.id, id, { name: "Bia", email: "certo@exemplo.com.br" }),
  ]) {
    const { seller, sale, items } = await bounced();
    await correct(sale, seller);
    expect(await items()).toEqual([]);
  }
});

test("a refund ends it, since there is no access to send", async () => {
  const { sale, items } = await bounced();
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`;
  expect(await items()).toEqual([]);
});

test("a bounced PIX mail, a mail that was given up and another seller's mail are no action items", async () => {
  const { seller, sale } = await bounced();
  await sql`update mails set kind = 'pix' where sale_id = ${sale.id}`;
  expect(await findActionItems(seller.id)).toEqual([]);
  await sql`update mails set kind = 'purchase', failure = 'gave-up', bounced_at = null where sale_id = ${sale.id}`;
  expect(await findActionItems(seller.id)).toEqual([]);
  await bounced();
  expect(await findActionItems(seller.id)).toEqual([]);
});
