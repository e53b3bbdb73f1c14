import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import {
  findCorrectablePurchase,
  readEmailCorrection,
  requestEmailCorrection,
} from "#app/domain/buyer/request-email-correction.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { mailedToken } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const mailbox = () => `bia-${randomUUID()}@exemplo.com.br`;

async function sold(fields: Parameters<typeof makeSale>[1] = {}) {
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, { status: "completed", customerEmail: mailbox(), ...fields });
  return { product, sale };
}

const buyerOf = async ({ id }: { id: string }) =>
  (await sql`select customer_name as name, customer_email as email from sales where id = ${id}`)[0]!;

test("a seller's corrections do not count towards the three of the buyer", async () => {
  const { sale } = await sold();
  for (const email of [mailbox(), mailbox(), mailbox()])
    await editCustomer(sale.sellerId, sale.id, { name: "Bia", email });
  const email = mailbox();
  await correctEmail(sale.id, email);
  expect(await buyerOf(sale)).toEqual({ name: "Bia", email });
});

test("a seller gives a paid order its first e-mail: the access goes there, and an anonymized upsell stays so", async () => {
  const { product, sale } = await sold({ customerEmail: null });
  const upsell = await makeSale(product, {
    ...{ status: "completed" as const, parentSaleId: sale.id },
    ...{ customerName: null, customerEmail: null, anonymizedAt: new Date() },
  });
  const email = mailbox();
  await editCustomer(sale.sellerId, sale.id, { name: "Bia", email });
  expect(await buyerOf(sale)).toEqual({ name: "Bia", email });
  expect(await buyerOf(upsell)).toEqual({ name: null, email: null });
  const mails = await sql`select kind, recipient from mails where sale_id in (${sale.id}, ${upsell.id})`;
  expect(mails).toEqual([{ kind: "access", recipient: email }]);
});

test("a purchase that was anonymized in the moment of its payment gets no e-mail again", async () => {
  const { sale } = await sold();
  await sql`update sales set customer_name = null, customer_email = null, anonymized_at = completed_at
    where id = ${sale.id}`;
  await expect(correctEmail(sale.id, mailbox())).rejects.toThrow("foram apagados");
});

test("the link that confirms a correction is valid for a day", async () => {
  const { sale } = await sold();
  const purchase = await findCorrectablePurchase(sale.id);
  const to = mailbox();
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    await requestEmailCorrection(purchase, to);
    const token = await mailedToken(sale.customerEmail, `/purchase-email/${sale.id}/`);
    vi.setSystemTime(now + DAY - 1);
    expect(readEmailCorrection(sale.id, token)).toMatchObject({ from: sale.customerEmail, to });
    vi.setSystemTime(now + DAY);
    expect(() => readEmailCorrection(sale.id, token)).toThrow("Este link não vale mais");
  } finally {
    vi.useRealTimers();
  }
});
