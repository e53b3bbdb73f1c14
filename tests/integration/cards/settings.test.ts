import { expect, test } from "vitest";
import { findCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { findCardGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { withdrawPublicKeys } from "#app/domain/gateway/withdraw-public-keys.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeCardGateway,
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  signedIn,
} from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });

const NEEDS_KEYS = "Para receber por cartão, salve o Access Token e a Public Key";
const keys = { mercadopago_access_token: "APP_USR-sandbox-1", mercadopago_public_key: "APP_USR-publica" };

test("cards are switched on with both keys, apart from PIX, and the seller is mailed", async () => {
  const seller = await makeSeller();
  const { id } = seller;
  await makeCardGateway(await makeSeller());
  await saveGateways(id, { ...keys, mercadopago_card_enabled: true });
  expect(await findCardGateway(id)).toMatchObject({
    credentials: { apiKey: "APP_USR-sandbox-1" },
    publicKey: "APP_USR-publica",
    provider: { name: "mercadopago" },
  });
  expect(await showGateways(id)).toMatchObject({
    mercadopago_enabled: false,
    mercadopago_card_enabled: true,
  });
  const mails = await sql`select kind from mails where seller_id = ${id}`;
  expect(mails.map(({ kind }) => kind)).toEqual(["security-notice"]);
  const headers = await signedIn(seller);
  const screen = async () => (await app.fetch("/settings?tab=gateways", { headers })).text();
  const NO_PIX = "O cartão só aparece ao lado do PIX: ligue o PIX desta ou de outra conta";
  const alone = await screen();
  for (const text of ["Falta o PIX", NO_PIX, "Ligar e salvar"]) expect(alone).toContain(text);
  expect(alone).not.toMatch(/Recebendo cartões|nenhum comprador consegue pagar por aqui/);
  await makeGateway(seller);
  const beside = await screen();
  expect(beside).toContain("Recebendo cartões");
  for (const text of ["Falta o PIX", NO_PIX, "Ligar e salvar"]) expect(beside).not.toContain(text);
  await saveGateways(id, { mercadopago_card_enabled: false });
  expect(await findCardGateway(id)).toBeNull();
});

test.each([
  ["without any key", {}],
  ["without the public key", { mercadopago_access_token: keys.mercadopago_access_token }],
  ["without the access token", { mercadopago_public_key: keys.mercadopago_public_key }],
])("cards are not switched on %s, and nothing of the form is saved", async (_, typed) => {
  const { id } = await makeSeller();
  await expect(saveGateways(id, { ...typed, mercadopago_card_enabled: true })).rejects.toMatchObject({
    kind: "invalid",
    field: "mercadopago_card_enabled",
    message: expect.stringContaining(NEEDS_KEYS),
  });
  expect(await sql`select provider from gateway_accounts where seller_id = ${id}`).toEqual([]);
});

test.each(Object.keys(keys))("%s is not removed while cards are on", async (field) => {
  const { id } = await makeSeller();
  await saveGateways(id, { ...keys, mercadopago_card_enabled: true });
  await expect(saveGateways(id, { [field]: "" })).rejects.toThrow(NEEDS_KEYS);
  expect(await findCardGateway(id)).not.toBeNull();
  await saveGateways(id, { [field]: "", mercadopago_card_enabled: false });
  expect(await findCardGateway(id)).toBeNull();
});

test("a checkout offers cards while they are switched on", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const takesCards = async () => (await findCheckoutTerms({ id: product.id }))!.takesCards;
  expect(await takesCards()).toBe(false);
  await saveGateways(seller.id, { ...keys, mercadopago_card_enabled: true });
  expect(await takesCards()).toBe(true);
  await saveGateways(seller.id, { mercadopago_card_enabled: false });
  expect(await takesCards()).toBe(false);
});

test("an account takes no cards where its provider takes none, or its public key is missing", async () => {
  for (const fields of [{ provider: "pushinpay" }, { publicKeySealed: null }]) {
    const seller = await makeSeller();
    await makeCardGateway(seller, fields);
    expect(await findCardGateway(seller.id), JSON.stringify(fields)).toBeNull();
  }
});

test("a card that is not decided is checked at once with a new key, and not with the same one", async () => {
  const seller = await makeSeller();
  await saveGateways(seller.id, keys);
  const card = { provider: "mercadopago", method: "card", instalments: 1, status: "in_review" } as const;
  const charge = await makeCharge(await makeSale(await makeProduct(seller)), card);
  const isDue = async () => {
    const [row] = await sql`select next_check_at <= now() as is_due from charges where id = ${charge.id}`;
    return row!.is_due;
  };
  await saveGateways(seller.id, keys);
  expect(await isDue()).toBeNull();
  await saveGateways(seller.id, { mercadopago_access_token: "APP_USR-sandbox-2" });
  expect(await isDue()).toBe(true);
});

/** An access token as Mercado Pago's panel shows them. */
const OTHERS_TOKEN = `APP_USR-1234567890123456-112913-${"0a1b2c3d".repeat(4)}-123456789`;

test.each([
  ["both at once", { ...keys, mercadopago_public_key: keys.mercadopago_access_token }, undefined],
  ["that of another account", { ...keys, mercadopago_public_key: OTHERS_TOKEN }, undefined],
  [
    "while the provider is away",
    { ...keys, mercadopago_public_key: keys.mercadopago_access_token },
    "reset" as const,
  ],
])("a secret key is not saved as the public one, which buyers' browsers get: %s", async (_, typed, mode) => {
  const { id } = await makeSeller();
  if (mode) await app.sandbox.fault({ service: "mercadopago", mode, times: 9 });
  await expect(saveGateways(id, { ...typed, mercadopago_card_enabled: true })).rejects.toMatchObject({
    ...{ kind: "invalid", field: "mercadopago_public_key" },
    message: expect.stringMatching(/é secreta, .*: nada foi salvo/),
  });
  await app.sandbox.endFaults("mercadopago");
  expect(await sql`select provider from gateway_accounts where seller_id = ${id}`).toEqual([]);
});

test.each([
  ["its own", keys.mercadopago_access_token],
  ["another account's", OTHERS_TOKEN],
])(
  "a secret key that was saved as the public one before that was refused, %s, is given to no page and withdrawn",
  async (_, secret) => {
    const { id } = await makeSeller();
    const untouched = await makeSeller();
    for (const seller of [id, untouched.id])
      await saveGateways(seller, { ...keys, mercadopago_enabled: true, mercadopago_card_enabled: true });
    await sql`update gateway_accounts set public_key_sealed = ${seal(secret)} where seller_id = ${id}`;
    expect(await findCardGateway(id)).toBeNull();
    for (let run = 0; run < 2; run++) await withdrawPublicKeys.handle({}, { number: 1, last: false });
    expect(await showGateways(id)).toMatchObject({
      ...{ mercadopago_enabled: true, mercadopago_card_enabled: false, mercadopago_public_key: "" },
    });
    expect(await findCardGateway(untouched.id)).toMatchObject({ publicKey: keys.mercadopago_public_key });
    const told = await sql`select seller_id, subject from mails where kind = 'gateway-trouble'
    and seller_id in (${id}, ${untouched.id})`;
    expect(told).toEqual([{ seller_id: id, subject: "Uma chave secreta estava no campo Public Key" }]);
  },
);

test("the saved secret key is not saved as the public one", async () => {
  const { id } = await makeSeller();
  await saveGateways(id, keys);
  await app.sandbox.fault({ service: "mercadopago", mode: "reset", times: 9 });
  const typed = { mercadopago_public_key: keys.mercadopago_access_token };
  await expect(saveGateways(id, typed)).rejects.toMatchObject({ field: "mercadopago_public_key" });
  await app.sandbox.endFaults("mercadopago");
});
