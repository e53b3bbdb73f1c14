import { expect, test } from "vitest";
import { findRefusedCards } from "#app/domain/gateway/find-refused-cards.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { paths } from "#app/kit/paths.ts";
import { cardShop, orderCard, sendCard } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

/** What a token is that another account's public key made: unknown. */
const unknown = () => ({ token: crypto.randomUUID().replaceAll("-", "") });

async function shop() {
  const { seller, product } = await cardShop();
  const ordered = () => orderCard(product.id);
  const items = async () => (await findActionItems(seller.id)).map(({ kind }) => kind);
  const mails = async () => {
    const rows =
      await sql`select subject from mails where seller_id = ${seller.id} and kind = 'gateway-trouble'`;
    return rows.map(({ subject }) => subject);
  };
  const refused = async () => sendCard(app, await ordered(), "APRO", unknown());
  return { seller, ordered, items, mails, refused };
}

test("cards of several orders that the provider does not know are an action item and a mail, once", async () => {
  const { seller, ordered, items, mails, refused } = await shop();
  const saleId = await ordered();
  // One buyer who tries again and again is none of it.
  for (let time = 0; time < 3; time++) await sendCard(app, saleId, "APRO", unknown());
  await refused();
  expect([await items(), await mails()]).toEqual([[], []]);
  await refused();
  const subject = "O Mercado Pago recusou os últimos cartões";
  expect([await items(), await mails()]).toEqual([["cards-refused"], [subject]]);
  await refused();
  expect(await mails()).toEqual([subject]);
  const { Cookie } = await signedIn(seller);
  const open = async (path: string) => (await app.fetch(path, { headers: { Cookie } })).text();
  for (const path of [paths.dashboard(), paths.settings("gateways")]) {
    const html = await open(path);
    expect(html).toContain("de 4 pedidos diferentes, foram recusados: “card_token_not_found”");
    expect(html).toContain(
      "Uma causa possível: a Public Key e a API Key (Access Token) não são da mesma conta",
    );
  }
  for (const path of [paths.settings("gateways"), paths.integrations()])
    expect(await open(path)).toContain("Cartões recusados</span>");
  await sendCard(app, saleId);
  expect(await items()).toEqual([]);
});

test("cards that a provider refuses without saying so of the card count, too, until the account is saved", async () => {
  const { seller, ordered, items, mails } = await shop();
  for (let time = 0; time < 3; time++) {
    expect([await items(), await mails()]).toEqual([[], []]);
    const body = { message: "Card Token not found", cause: [{ code: 2006 }] };
    await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "status-400", times: 1, body });
    await sendCard(app, await ordered());
  }
  expect(await findActionItems(seller.id)).toMatchObject([
    { kind: "cards-refused", about: expect.stringContaining("“Card Token not found”") },
  ]);
  expect(await mails()).toHaveLength(1);
  await saveGateways(seller.id, { mercadopago_public_key: "APP_USR-outra" });
  expect(await items()).toEqual([]);
});

test.each(["OTHE", "SECU", "APRO", "CONT"])(
  "a card that ends as %s between them says that the provider knows the cards",
  async (name) => {
    const { ordered, items, mails, refused } = await shop();
    await refused();
    await refused();
    await sendCard(app, await ordered(), name);
    await refused();
    await refused();
    expect([await items(), await mails()]).toEqual([[], []]);
  },
);

test("the newest twenty cards count, of those among an account's newest five hundred charges", async () => {
  const { seller, product } = await cardShop();
  const [account] = await sql`select key_id as "gatewayKeyId" from gateway_accounts
    where seller_id = ${seller.id} and provider = 'mercadopago'`;
  const card = { provider: "mercadopago", method: "card", instalments: 1, ...account } as const;
  const cardThat = async (status: "paid" | "failed", failureDetail?: string) =>
    makeCharge(await makeSale(product), { ...card, status, failureDetail });
  await cardThat("paid");
  for (let nth = 0; nth < 20; nth++) await cardThat("failed", "400: an older one");
  const charge = await cardThat("failed", "400: the newest");
  expect(await findRefusedCards(seller.id)).toMatchObject({ detail: "the newest" });
  const orders = async () => (await findRefusedCards(seller.id))!.orders;
  expect(await orders()).toBe(20);
  const addCodes = (count: number) => sql`
    insert into charges select (jsonb_populate_record(c, jsonb_build_object('method', 'pix', 'instalments', null, 'id', gen_random_uuid(),
      'reference', gen_random_uuid(), 'provider_id', gen_random_uuid(), 'created_at', now()))).*
    from charges c, generate_series(1, ${count}::int) where c.id = ${charge.id}`;
  await addCodes(480);
  expect(await orders()).toBe(20);
  await addCodes(1);
  expect(await orders()).toBe(19);
});
