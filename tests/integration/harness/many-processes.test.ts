import { expect, test } from "vitest";
import { openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

test("two web processes and two workers on one database sell together, each sale once", async () => {
  const app = await startApp({ web: 2, worker: 2 });
  const shop = await openShop();
  await app.sandbox.webhooks({ copies: 2 });
  const sold = await Promise.all(
    Array.from({ length: 6 }, async (_, buyer) => {
      const body = {
        product_id: shop.product.id,
        customer_name: "Bia",
        customer_email: `bia${buyer}@exemplo.com.br`,
        customer_phone: "11987654321",
        customer_document: "52998224725",
      };
      // The same order by page and API at once is one sale with one PIX.
      const answers = await Promise.all(
        app.web.map(async ({ url }) => {
          const answer = await fetch(`${url}/api/payments/pushinpay`, {
            method: "POST",
            body: JSON.stringify(body),
          });
          return (await answer.json()) as { sale_id: string; payment_id: string };
        }),
      );
      expect(answers[1]).toMatchObject({ sale_id: answers[0]!.sale_id, payment_id: answers[0]!.payment_id });
      return answers[0]!;
    }),
  );
  for (const { payment_id: id } of sold) {
    const [charge] = await sql`select provider_id from charges where id = ${id}`;
    await app.sandbox.pay(charge!.provider_id);
  }
  for (const { sale_id: id } of sold) {
    await until(async () => (await stateOf(id)).status === "completed");
    expect(await stateOf(id)).toMatchObject({ completions: 1, mails: 1 });
  }
  await until(async () => {
    const [row] =
      await sql`select count(*)::int as waiting from mails where kind = 'purchase' and status <> 'sent'`;
    return row!.waiting === 0;
  });
  const purchases = (await app.sandbox.emails()).filter((m) =>
    m.body.subject.startsWith("Sua compra foi aprovada"),
  );
  expect(purchases).toHaveLength(6);
});
