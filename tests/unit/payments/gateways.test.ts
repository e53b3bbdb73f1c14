import { expect, test } from "vitest";
import { inTriedOrder, toGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { seal } from "#app/platform/secrets.server.ts";

test("accounts are tried by their position, equal ones in the order of the providers, unknown ones never", () => {
  const accounts = [
    { provider: "sumiu", position: -2 },
    { provider: "mercadopago", position: -1 },
    { provider: "pushinpay", position: 0 },
    { provider: "woovi", position: 0 },
  ];
  for (const rows of [accounts, accounts.toReversed()])
    expect(inTriedOrder(rows).map(({ provider }) => provider)).toEqual(["mercadopago", "pushinpay", "woovi"]);
});

test("an account can create codes only with a known provider, an address and a key", () => {
  const account = {
    ...{ provider: "pushinpay", position: 0, hookToken: "endereco" },
    ...{ keyId: "versao-1", apiKeySealed: seal("1|chave") },
  };
  expect(toGateway(account)).toMatchObject({
    provider: { name: "pushinpay" },
    credentials: { apiKey: "1|chave" },
    keyId: "versao-1",
    hookToken: "endereco",
  });
  for (const missing of [
    { provider: "sumiu" },
    { provider: null },
    { hookToken: null },
    { keyId: null },
    { apiKeySealed: null },
  ])
    expect(toGateway({ ...account, ...missing }), JSON.stringify(missing)).toBeNull();
});
