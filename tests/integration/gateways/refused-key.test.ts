import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { readReceiving } from "#app/domain/gateway/read-receiving.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { scheduleHeldChecks } from "#app/domain/gateway/schedule-held-checks.server.ts";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { loadIntegrations } from "#app/routes/seller/settings/integrations/loader.server.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeCharge, makeGateway, makeSale, makeSeller } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

async function placed(productId: number): Promise<string> {
  const buyer = { name: "Bia", email: `${crypto.randomUUID()}@exemplo.com.br`, phone: null, document: null };
  return (await placeSale(order(productId, { customer: buyer }))).saleId;
}

for (const status of [401, 403]) {
  test(`a key the provider answers ${status} to is reported as refused until a PIX is made, and no other failure is`, async () => {
    const { seller, product } = await openShop();
    const other = await openShop();
    expect(await findRefusedAccounts(seller.id)).toEqual([]);
    const failing = async (mode: `status-${number}`) => {
      const saleId = await placed(product.id);
      await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode, body: { message: "Não." } });
      await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
      return saleId;
    };
    await failing("status-500");
    expect(await findRefusedAccounts(seller.id)).toEqual([]);
    const saleId = await failing(`status-${status}`);
    await failing("status-500");
    expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
    expect(await findRefusedAccounts(other.seller.id)).toEqual([]);
    await startPix(saleId);
    expect(await findRefusedAccounts(seller.id)).toEqual([]);
  });
}

test("another key is not reported as refused; saving the same one changes nothing", async () => {
  const { seller, product } = await openShop();
  const save = (form: object) => saveGateways(seller.id, gatewaysForm().parse(form));
  const saleId = await placed(product.id);
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-401", body: {} });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  await save({ pushinpay_enabled: true, pushinpay_api_key: "••••••••demo" });
  expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
  await save({ pushinpay_api_key: "2|sandbox-outra" });
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
});

test("an order whose code two accounts refuse six times has to wait, and not for a key that was replaced", async () => {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  const saleId = await placed(product.id);
  const refusals = { mode: "status-401", times: 6, body: { message: "Não.", error: "Não." } } as const;
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", ...refusals });
  await app.sandbox.fault({ service: "woovi", route: "create", ...refusals });
  for (let attempt = 0; attempt < 6; attempt++)
    await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  await expect(startPix(saleId)).rejects.toMatchObject({
    ...{ kind: "too-many", code: "too-many", retryAfter: expect.any(Number) },
    message: expect.stringContaining("em 6 tentativas"),
  });
  const failed = await sql`select provider, count(*)::int as times from charges where sale_id = ${saleId}
    group by provider order by provider`;
  expect([...failed]).toEqual([
    { provider: "pushinpay", times: 6 },
    { provider: "woovi", times: 6 },
  ]);
  await startPix(await placed(product.id));
  await saveGateways(seller.id, gatewaysForm().parse({ pushinpay_api_key: "2|sandbox-outra" }));
  expect(await startPix(saleId)).toMatchObject({ chargeId: expect.any(String) });
});

test("a key that a check found refused is reported until a PIX is made with it, or another one is saved", async () => {
  const { seller, product } = await openShop();
  const save = (form: object) => saveGateways(seller.id, gatewaysForm().parse(form));
  const refuse = () => sql`update gateway_accounts set key_refused_at = now() where seller_id = ${seller.id}`;
  await refuse();
  expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
  await startPix(await placed(product.id));
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
  await refuse();
  await save({ pushinpay_enabled: true, pushinpay_api_key: "1|sandbox-demo" });
  expect(await findRefusedAccounts(seller.id)).toEqual(["pushinpay"]);
  await save({ pushinpay_api_key: "2|sandbox-outra" });
  expect(await findRefusedAccounts(seller.id)).toEqual([]);
});

test("a key that a PIX was refused with counts as refused until a test of it passes, and again once it is refused", async () => {
  const { seller, product } = await openShop();
  const refusePix = async () => {
    const saleId = await placed(product.id);
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-401", body: {} });
    await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  };
  const views = async () => ({
    refused: await findRefusedAccounts(seller.id),
    receiving: await readReceiving(seller.id),
    items: (await findActionItems(seller.id)).map(({ kind }) => kind),
    badge: (await loadIntegrations(seller.id))[0]!.connections[0]!.badge.label,
  });
  const REFUSED = {
    refused: ["pushinpay"],
    receiving: "refused",
    items: ["key-refused"],
    badge: "API Key recusada",
  };
  await refusePix();
  expect(await views()).toEqual(REFUSED);
  await testWebhook(seller.id, "pushinpay", "");
  expect(await views()).toEqual({
    refused: [],
    receiving: "on",
    items: [],
    badge: "Recebendo pagamentos",
  });
  await refusePix();
  expect(await views()).toEqual(REFUSED);
});

test.each(["a test", "a PIX, and a test after it"])(
  "a payment that waits for a refused key is checked at once when the key is accepted again, as %s shows",
  async (shownBy) => {
    const { seller, product } = await openShop();
    await startPix(await placed(product.id));
    const [charge] = await sql`update charges set next_check_at = now() + interval '6 hours'
      where seller_id = ${seller.id} returning id, provider_id`;
    await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
      values ('pushinpay', ${charge!.id}, ${seller.id}, ${charge!.id}, ${charge!.provider_id}, 'paid', 'paid')`;
    await sql`update gateway_accounts set key_refused_at = now(), next_paced_check_at = now() + interval '1 hour'
      where seller_id = ${seller.id}`;
    const due = async () => {
      const [row] =
        await sql`select c.next_check_at <= now() as charge, a.next_paced_check_at <= now() as paced
        from charges c inner join gateway_accounts a on a.seller_id = c.seller_id where c.id = ${charge!.id}`;
      return row;
    };
    if (shownBy !== "a test") await startPix(await placed(product.id));
    expect(await due()).toEqual({ charge: false, paced: false });
    await testWebhook(seller.id, "pushinpay", "");
    expect(await due()).toEqual({ charge: true, paced: true });
  },
);

test("all payments that waited for a key are checked soon, however many they are, and some at once", async () => {
  const { seller, product } = await openShop();
  for (let made = 0; made < 5; made++) await makeCharge(await makeSale(product));
  const held = sql`update charges set next_check_at = now() + interval '6 hours' where seller_id = ${seller.id}`;
  expect((await held).count).toBe(5);
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
    select 'pushinpay', c.id, c.seller_id, c.id::text || again, c.provider_id, 'paid', 'paid'
    from charges c, generate_series(1, 2) again where c.seller_id = ${seller.id}`;
  await scheduleHeldChecks(db, seller.id, "pushinpay", 2);
  const [due] = await sql`select bool_and(next_check_at < now() + interval '10 minutes') as are_all_soon,
    bool_or(next_check_at <= now()) as is_one_due, bool_or(next_check_at > now()) as does_one_wait
    from charges where seller_id = ${seller.id}`;
  expect(due).toEqual({ are_all_soon: true, is_one_due: true, does_one_wait: true });
});

test("the card of an account whose key was refused names what the account takes", async () => {
  const refusalOf = async (sellerId: string, provider: string) =>
    (await loadGateways(sellerId)).cards.find(({ name }) => name === provider)?.charges?.keyRefused;
  const keyRefusedAt = new Date();
  const [cardsOnly, both] = [await makeSeller(), await makeSeller()];
  await makeGateway(cardsOnly, { keyRefusedAt });
  await makeCardGateway(cardsOnly, { keyRefusedAt });
  await makeCardGateway(both, { keyRefusedAt, enabledAt: new Date() });
  expect(await refusalOf(cardsOnly.id, "pushinpay")).toMatch(
    /ninguém consegue pagar por PIX,.* a chave for aceita\.$/,
  );
  expect(await refusalOf(cardsOnly.id, "mercadopago")).toMatch(/pagar com cartão,.* a chave for aceita\.$/);
  expect(await refusalOf(cardsOnly.id, "mercadopago")).not.toContain("PIX");
  expect(await refusalOf(both.id, "mercadopago")).toMatch(/por PIX nem com cartão/);
});
