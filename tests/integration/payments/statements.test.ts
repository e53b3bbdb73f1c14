import { expect, test } from "vitest";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });

test("from submit to settled and mail queued takes a bounded number of statements", async () => {
  const { all, counts } = await statementsOf(await openShop());
  expect(all.length, `${JSON.stringify(counts)}\n${all.join("\n")}`).toBeLessThanOrEqual(11);
});

test("notifying three webhooks and UTMify takes no more statements than notifying none", async () => {
  const [silent, loud] = [await openShop(), await openShop()];
  for (const name of ["a", "b", "c"]) await makeWebhook(loud.seller, { name });
  await makeTracking(loud.seller);
  const none = await statementsOf(silent);
  const four = await statementsOf(loud, "caio@exemplo.com.br");
  expect(four.counts).toEqual(none.counts);
  const [queued] = await sql`select count(*)::int as n from deliveries where seller_id = ${loud.seller.id}`;
  expect(queued!.n).toBe(3 * 4 + 2);
});

type Shop = Awaited<ReturnType<typeof openShop>>;

async function statementsOf(shop: Shop, email = "bia@exemplo.com.br") {
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${shop.seller.id}`;
  const placed = await countStatements(() => placeOrder(orderOf(shop, email)));
  const { saleId, chargeId } = placed.result;
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await app.sandbox.webhooks({ drop: true });
  await app.sandbox.pay(charge!.provider_id);
  const taken = await countStatements(() =>
    receiveWebhook({
      provider: "pushinpay",
      hookToken: gateway!.hook_token,
      query: () => null,
      body: `id=${charge!.provider_id}&status=paid`,
      header: () => null,
    }),
  );
  const settled = await countStatements(() => checkCharge(chargeId!));
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  const counts = { placed: placed.count, taken: taken.count, settled: settled.count };
  const all = [placed, taken, settled].flatMap((part) => part.statements);
  return { all, counts };
}
