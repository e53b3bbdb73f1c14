import { expect, test } from "vitest";
import { lookUpDispute } from "#app/domain/settlement/look-up-dispute.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { cardShop, sellByCard } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeSale, makeSeller } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

const lookUp = (sellerId: string, disputeId: string, provider = "mercadopago") =>
  lookUpDispute.handle({ sellerId, provider, disputeId }, { number: 1, last: false });

/** A contested payment of a shop with others, whose provider sends no webhook. */
async function contested() {
  const { seller, product, apiKey } = await cardShop();
  await app.sandbox.post("/mercadopago", { accessToken: apiKey, webhookUrl: null });
  await makeCharge(await makeSale(product));
  const { chargeId, providerId } = await sellByCard(app, product.id);
  await makeCharge(await makeSale(product));
  type Contested = { card: { chargeback: { id: string } } };
  const { card } = await app.sandbox.post<Contested>(`/transactions/${providerId}/chargeback`);
  const isDue = async () =>
    (await sql`select coalesce(next_check_at <= now(), false) as due from charges where id = ${chargeId}`)[0]!
      .due;
  return { sellerId: seller.id, apiKey, disputeId: card.chargeback.id, isDue };
}

test("a dispute that a webhook names is looked up, and its payment is checked soon", async () => {
  const { sellerId, disputeId, isDue } = await contested();
  await app.sandbox.fault({ service: "mercadopago", route: "chargeback", mode: "http-500", times: 1 });
  await expect(lookUp(sellerId, disputeId)).rejects.toThrow();
  await lookUp(sellerId, disputeId, "pushinpay");
  await lookUp(sellerId, "1");
  await lookUp((await makeSeller()).id, disputeId);
  expect(await isDue()).toBe(false);
  await lookUp(sellerId, disputeId);
  expect(await isDue()).toBe(true);
});

test("without a key of its own seller at that provider nobody is asked", async () => {
  const [withoutKeys, atAnother] = [await makeSeller(), await makeSeller()];
  await cardShop();
  await makeGateway(atAnother);
  // A call would fail.
  await app.sandbox.fault({ service: "mercadopago", route: "chargeback", mode: "http-500", times: 2 });
  for (const { id } of [withoutKeys, atAnother]) await expect(lookUp(id, "1")).resolves.toBeUndefined();
  await app.sandbox.endFaults("mercadopago");
});

test("as long as keys are refused three are tried", async () => {
  const { sellerId, apiKey, disputeId, isDue } = await contested();
  for (let more = 0; more < 3; more++)
    await sql`insert into gateway_keys (seller_id, provider, api_key_sealed)
      values (${sellerId}, 'mercadopago', ${seal(apiKey)})`;
  for (const [times, isFound] of [
    [3, false],
    [2, true],
  ] as const) {
    await app.sandbox.fault({ service: "mercadopago", route: "payment", mode: "status-401", times });
    await lookUp(sellerId, disputeId);
    expect(await isDue()).toBe(isFound);
  }
});

test("the key of a removed account is used, whatever newer ones were erased", async () => {
  const { sellerId, disputeId, isDue } = await contested();
  await sql`update gateway_accounts set key_id = null where seller_id = ${sellerId} and provider = 'mercadopago'`;
  await sql`insert into gateway_keys (seller_id, provider, created_at)
    select ${sellerId}, 'mercadopago', now() + n * interval '1 second' from generate_series(1, 3) n`;
  await lookUp(sellerId, disputeId);
  expect(await isDue()).toBe(true);
});

test("the dispute of an account that was replaced is found with the key of then", async () => {
  const { sellerId, disputeId, isDue } = await contested();
  const [key] = await sql`insert into gateway_keys (seller_id, provider, api_key_sealed)
    values (${sellerId}, 'mercadopago', ${seal(`APP_USR-sandbox-${crypto.randomUUID()}`)}) returning id`;
  await sql`update gateway_accounts set key_id = ${key!.id} where seller_id = ${sellerId} and provider = 'mercadopago'`;
  await lookUp(sellerId, disputeId);
  expect(await isDue()).toBe(true);
});

test("a dispute whose current key is refused is found with an older one", async () => {
  const { sellerId, apiKey, disputeId, isDue } = await contested();
  await sql`insert into gateway_keys (seller_id, provider, api_key_sealed)
    values (${sellerId}, 'mercadopago', ${seal(apiKey)})`;
  await app.sandbox.fault({ service: "mercadopago", route: "chargeback", mode: "status-401", times: 1 });
  await lookUp(sellerId, disputeId);
  expect(await isDue()).toBe(true);
});
