import { expect, test } from "vitest";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { loadIntegrations } from "#app/routes/seller/settings/integrations/loader.server.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeCardGateway,
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
} from "#tests/support/make.ts";

const app = await startApp({ web: 0, worker: 0 });

type Mode = "reset" | "status-503" | "status-429" | "malformed" | "status-401" | "status-422";

async function shop() {
  const { seller, product } = await openShop();
  const ordered = async () => {
    const buyer = {
      name: "Bia",
      email: `${crypto.randomUUID()}@exemplo.com.br`,
      phone: null,
      document: null,
    };
    return (await placeSale(order(product.id, { customer: buyer }))).saleId;
  };
  const failing = async (mode: Mode) => {
    const saleId = await ordered();
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode, body: { message: "Não." } });
    await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  };
  const items = async () => (await findActionItems(seller.id)).map(({ kind }) => kind);
  return { seller, ordered, failing, items };
}

test("a provider whose codes fail three times in a row is an action item until one is created", async () => {
  const { seller, ordered, failing, items } = await shop();
  await failing("reset");
  await failing("status-503");
  expect(await items()).toEqual([]);
  await failing("malformed");
  expect(await findActionItems(seller.id)).toEqual([
    {
      kind: "provider-down",
      hasSpare: false,
      provider: "A PushInPay",
      failures: 3,
      lastAt: expect.any(Date),
    },
  ]);
  await failing("status-429");
  expect(await findActionItems(seller.id)).toMatchObject([{ failures: 4 }]);
  const other = await shop();
  expect(await other.items()).toEqual([]);
  await startPix(await ordered());
  expect(await items()).toEqual([]);
  await failing("reset");
  expect(await items()).toEqual([]);
});

test("a provider that is down is shown as such where its action item leads, and each of two is", async () => {
  const { seller, ordered, failing } = await shop();
  const seen = async () => {
    const { cards } = await loadGateways(seller.id);
    const [payments] = await loadIntegrations(seller.id);
    return ["pushinpay", "woovi"].map((provider) => {
      const { badge, outage } = cards.find(({ name }) => name === provider)!.charges!;
      const listed = payments!.connections.find(({ id }) => id === provider)!;
      return [badge.label, listed.badge.label, outage];
    });
  };
  const down = (meanwhile: string) => {
    const text = new RegExp(`não está gerando códigos PIX: as últimas 3 tentativas falharam.*${meanwhile}`);
    return ["Sem gerar PIX agora", "Sem gerar PIX agora", expect.stringMatching(text)];
  };
  const [alone, withSpare] = [down("Tentamos de novo a cada comprador"), down("Outro provedor seu gera")];
  const connected = ["Recebendo pagamentos", "Recebendo pagamentos", null];
  expect(await seen()).toEqual([connected, ["Não conectado", "Não conectado", null]]);
  for (let attempt = 0; attempt < 3; attempt++) await failing("reset");
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  const spare = ["Reserva", "Reserva", null];
  expect(await seen()).toEqual([withSpare, spare]);
  await addFailures(await ordered(), "woovi", 3, 5);
  expect(await seen()).toEqual([alone, alone]);
  // The one that has failed in this process is tried last.
  await startPix(await ordered());
  expect(await seen()).toEqual([withSpare, spare]);
});

test("a provider that answers is not down: a refused key is another action item, a refused code none", async () => {
  const { failing, items } = await shop();
  for (const mode of ["reset", "reset", "status-422", "reset"] as const) await failing(mode);
  expect(await items()).toEqual([]);
  await failing("status-401");
  expect(await items()).toEqual(["key-refused"]);
});

test("an hour after the last attempt nothing is known, so nothing is claimed", async () => {
  const { seller, failing, items } = await shop();
  for (let attempt = 0; attempt < 3; attempt++) await failing("reset");
  expect(await items()).toEqual(["provider-down"]);
  await sql`update charges set created_at = created_at - interval '61 minutes' where seller_id = ${seller.id}`;
  expect(await items()).toEqual([]);
});

test("of two enabled providers, the one that is down is named, though the other creates codes", async () => {
  const { seller, ordered } = await shop();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await findActionItems(seller.id)).toEqual([]);
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "reset" });
    await startPix(await ordered());
  }
  expect(await findActionItems(seller.id)).toMatchObject([
    { kind: "provider-down", hasSpare: true, provider: "A PushInPay", failures: 3 },
  ]);
});

test("a spare that failed its test is not said to create the codes while the first provider is down", async () => {
  const { seller, ordered } = await shop();
  await makeGateway(seller, {
    ...{ provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` },
    ...{ spareFailure: "Conta bloqueada", nextSpareTestAt: new Date(Date.now() + 3_600_000) },
  });
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "spare-failed", provider: "A Woovi" }]);
  await addFailures(await ordered(), "pushinpay", 3, 1);
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "provider-down", hasSpare: false }]);
});

test("an account of which only the keys are stored creates no codes in place of one that does not", async () => {
  const { seller, ordered } = await shop();
  await makeGateway(seller, { provider: "stripe" });
  await addFailures(await ordered(), "pushinpay", 3, 1);
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "provider-down", hasSpare: false }]);
  await sql`update gateway_accounts set key_refused_at = now() where seller_id = ${seller.id} and provider = 'pushinpay'`;
  expect(await findActionItems(seller.id)).toMatchObject([
    { kind: "key-refused", provider: "A PushInPay", hasSpare: false },
    { kind: "provider-down", hasSpare: false },
  ]);
  const { cards } = await loadGateways(seller.id);
  const { outage } = cards.find(({ name }) => name === "pushinpay")!.charges!;
  expect(outage).toContain("Tentamos de novo a cada comprador");
});

test("a refused key that only cards are charged with leaves PIX, and what is said of PIX", async () => {
  const { seller, ordered } = await shop();
  await makeCardGateway(seller, { keyRefusedAt: new Date() });
  await startPix(await ordered());
  const refused = { kind: "key-refused", provider: "O Mercado Pago", stopsCards: true };
  expect(await findActionItems(seller.id)).toMatchObject([{ ...refused, hasSpare: true }]);
  await sql`delete from charges where seller_id = ${seller.id}`;
  await addFailures(await ordered(), "pushinpay", 3, 1);
  expect(await findActionItems(seller.id)).toMatchObject([
    { ...refused, hasSpare: false },
    { kind: "provider-down", hasSpare: false, provider: "A PushInPay" },
  ]);
});

test("each refused key is said to stop what its own account takes, cards first", async () => {
  const seller = await makeSeller();
  await makeGateway(seller, { keyRefusedAt: new Date() });
  await makeCardGateway(seller, { keyRefusedAt: new Date() });
  await makeGateway(seller, { provider: "woovi", apiKey: "sandbox-x" });
  expect(await findActionItems(seller.id)).toMatchObject([
    { kind: "key-refused", provider: "O Mercado Pago", stopsCards: true, hasSpare: true },
    { kind: "key-refused", provider: "A PushInPay", stopsCards: false, hasSpare: true },
  ]);
});

test("a payment that waits for its confirmation is told with the refused key of the provider that reported it", async () => {
  const seller = await makeSeller();
  await makeGateway(seller, { keyRefusedAt: new Date() });
  await makeCardGateway(seller, { keyRefusedAt: new Date() });
  const sale = await makeSale(await makeProduct(seller));
  const report = async (provider: string) => {
    const charge = await makeCharge(sale, { provider });
    await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
      values (${provider}, ${charge.id}, ${seller.id}, ${provider}, ${charge.providerId}, 'paid', 'paid', now() - interval '1 hour')`;
  };
  await report("pushinpay");
  expect(await findActionItems(seller.id)).toMatchObject([
    { provider: "O Mercado Pago", unconfirmed: 0 },
    { provider: "A PushInPay", unconfirmed: 1 },
    { kind: "news-waiting" },
  ]);
  // Another code of the same order.
  await report("mercadopago");
  expect(await findActionItems(seller.id)).toMatchObject([
    { provider: "O Mercado Pago", unconfirmed: 1 },
    { provider: "A PushInPay", unconfirmed: 1 },
    { kind: "news-waiting" },
    { kind: "news-waiting" },
  ]);
});

/** Adds codes of an order that a provider did not create: one each minute, the last one `minutes` ago. */
const addFailures = (saleId: string, provider: string, count: number, minutes: number) => sql`
  insert into charges
    (seller_id, sale_id, provider, gateway_key_id, reference, status, failure_kind, amount_cents, created_at)
  select s.seller_id, s.id, a.provider, a.key_id, a.provider || n || s.id, 'failed', 'busy', s.amount_cents,
    now() - make_interval(mins => ${minutes}::int + n)
  from sales s inner join gateway_accounts a on a.seller_id = s.seller_id
    cross join generate_series(0, ${count}::int - 1) n
  where s.id = ${saleId} and a.provider = ${provider}`;

test("of a long outage the newest 20 codes are counted, and one that is created ends it", async () => {
  const { seller, ordered, items } = await shop();
  await addFailures(await ordered(), "pushinpay", 25, 1);
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "provider-down", failures: 20 }]);
  await startPix(await ordered());
  expect(await items()).toEqual([]);
});

test("of two providers that are down, the one that failed last is named", async () => {
  for (const [provider, other, name] of [
    ["pushinpay", "woovi", "A PushInPay"],
    ["woovi", "pushinpay", "A Woovi"],
  ] as const) {
    const { seller, ordered } = await shop();
    await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
    const saleId = await ordered();
    await addFailures(saleId, provider, 3, 5);
    await addFailures(saleId, other, 3, 20);
    expect(await findActionItems(seller.id)).toMatchObject([
      { kind: "provider-down", provider: name, hasSpare: false },
    ]);
  }
});
