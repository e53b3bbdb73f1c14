import { describe, expect, test } from "vitest";
import { findGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { testWebhook } from "#app/domain/gateway/test-webhook.server.ts";
import { paths } from "#app/kit/paths.ts";
import { forRequest } from "#app/platform/request-id.server.ts";
import { maskSecret, seal } from "#app/platform/secrets.server.ts";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import { SIGNATURE_HEADER, signSecondWebhook } from "#tests/integration/providers/second-bank.ts";
import {
  buyAt,
  claimCheck,
  openRigs,
  openShopAt,
  webhookUrlOf,
} from "#tests/integration/providers/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeSale, makeSeller } from "#tests/support/make.ts";

const rigs = await openRigs();

type Sent = { body: string; headers?: Record<string, string>; query?: Record<string, string> };

/** Posts to the webhook's address. @returns the status of the answer */
async function post(url: string, { body, headers = {}, query = {} }: Sent): Promise<number> {
  const to = new URL(url);
  for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value);
  return (await fetch(to, { method: "POST", body, headers })).status;
}

describe.each(rigs)("webhooks of %s", (_, rig) => {
  const { provider } = rig;
  const isUnproved = provider.webhookProof.startsWith("optional");
  const isLookedInto = provider.webhookProof === "optional-signature";
  const address = (account: { hookToken: string }) => webhookUrlOf(rig, account);

  test("rubbish is answered 400, a wrong address 404, too much of it 413", async () => {
    const { gateway } = await openShopAt(rig);
    await sql`update gateway_accounts set webhook_secret_sealed = null where seller_id = ${gateway.sellerId}`;
    // Without a secret signed webhooks are not even read.
    for (const body of ["", "{", "\u0000", "[]", "null", '{"pix":7}', "id=&status=", "x".repeat(10_000)])
      expect(await post(address(gateway), { body }), body.slice(0, 20)).toBe(isUnproved ? 400 : 401);
    const example = await rig.webhook("teste-123456789", true);
    expect(await post(address({ hookToken: "wrong" }), example)).toBe(404);
    expect(await post(address(gateway), { body: "x".repeat(70_000) })).toBe(413);
  });

  test("webhooks without valid authentication are refused, or only make us look where signatures cannot be relied on", async () => {
    const { product, gateway } = await openShopAt(rig);
    const { chargeId, providerId } = await buyAt(product.id);
    const wrong = await rig.webhook(providerId, false);
    for (const headers of [{}, wrong.headers])
      expect(await post(address(gateway), { ...wrong, headers })).toBe(isLookedInto ? 200 : 401);
    const states = async () => {
      const rows = await sql`select state from payment_webhooks where charge_id = ${chargeId} order by id`;
      return rows.map(({ state }) => state);
    };
    expect(await states()).toEqual(isLookedInto ? ["unclear"] : []);
    expect(await claimCheck(chargeId)).toBe(isLookedInto);
    expect(await post(address(gateway), await rig.webhook(providerId, true))).toBe(200);
    expect(await states()).toHaveLength(isLookedInto ? 2 : 1);
  });

  test("a signature is of one webhook alone", async () => {
    const { gateway } = await openShopAt(rig);
    const { headers, query } = await rig.webhook("teste-123456789", true);
    const other = await rig.webhook("teste-987654321", true);
    const status = rig.signs ? 401 : 200;
    expect(await post(address(gateway), { ...other, headers })).toBe(status);
    if (query) expect(await post(address(gateway), { ...other, headers, query })).toBe(status);
  });

  test("without a saved secret a webhook is accepted unless it is a secret that proves it", async () => {
    const { product, gateway } = await openShopAt(rig);
    await sql`update gateway_accounts set webhook_secret_sealed = null where seller_id = ${gateway.sellerId}`;
    const { chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId);
    expect(await claimCheck(chargeId)).toBe(provider.webhookProof !== "secret");
  });

  test("another seller's address does not reach this seller's charge", async () => {
    const { product } = await openShopAt(rig);
    const other = await openShopAt(rig);
    const { chargeId, providerId, charge } = await buyAt(product.id);
    const to = `${address(other.gateway)}?charge=${charge.reference}`;
    expect(await post(to, await rig.webhook(providerId, true))).toBe(200);
    expect(await sql`select 1 from payment_webhooks where charge_id = ${chargeId}`).toHaveLength(0);
  });
});

test("equal webhooks of two providers with one payment id are two webhooks", async () => {
  const [first, second] = rigs.map(([, rig]) => rig);
  const { seller, gateway, product } = await openShopAt(first!);
  const other = await makeGateway(seller, {
    provider: second!.provider.name,
    apiKey: second!.apiKey,
    webhookSecretSealed: seal(second!.secret),
  });
  const { providerId } = await buyAt(product.id);
  const theirs = await makeCharge(await makeSale(product), { provider: second!.provider.name, providerId });
  const sent = first!.provider.exampleWebhook(providerId, first!.secret);
  const body = JSON.stringify({ pix: { ref: providerId, what: "paid" } });
  const signed = { [SIGNATURE_HEADER]: signSecondWebhook(second!.secret, body) };
  const paidBody = sent.body.replace("created", "paid");
  for (let twice = 0; twice < 2; twice++) {
    const at = (provider: string, hookToken: string) =>
      process.env.APP_URL + paths.paymentWebhook(provider, hookToken);
    expect(await post(at(first!.provider.name, gateway.hookToken), { ...sent, body: paidBody })).toBe(200);
    expect(await post(at(second!.provider.name, other.hookToken), { body, headers: signed })).toBe(200);
  }
  const rows =
    await sql`select provider from payment_webhooks where provider_id = ${providerId} order by provider`;
  expect(rows.map(({ provider }) => provider)).toEqual([first!.provider.name, second!.provider.name].sort());
  expect(await claimCheck(theirs.id)).toBe(true);
});

describe.each(rigs)("the settings of %s", (_, rig) => {
  const { provider } = rig;
  const { form } = provider;
  const field = (holds: string) => form.keys.find((key) => key.storedAs === holds)!.field;

  test("its form is saved by its own fields, and returns masks in place of secrets", async () => {
    const seller = await makeSeller();
    const typed = Object.fromEntries(
      form.keys.map(({ field: name, storedAs }) => [
        name,
        storedAs === "apiKey" ? rig.apiKey : `valor-de-${name}-1234`,
      ]),
    );
    await saveGateways(seller.id, gatewaysForm().parse({ ...typed, [form.toggle.field]: true }));
    const view = await showGateways(seller.id);
    expect(view[form.toggle.field]).toBe(true);
    expect(view[form.webhook.field]).toContain(`/api/webhooks/${provider.name}/`);
    for (const key of form.keys)
      expect(view[key.field]).toBe(key.isSecret ? maskSecret(typed[key.field]!) : typed[key.field]);
    expect((await findGateway(seller.id))!.provider).toBe(provider);
  });

  test("its card is rendered from its form", async () => {
    const seller = await makeSeller();
    const { cards, gateways } = await loadGateways(seller.id);
    const { title, text, keys, toggle, webhook, keyMissing } = form;
    expect(cards.find(({ name }) => name === provider.name)).toMatchObject({
      ...{ title, text, keys, toggle },
      charges: { webhook, keyMissing, keyRefused: null },
    });
    for (const { field: name } of keys) expect(gateways[name]).toBe("");
  });

  test("its webhook is tested with its own example, end to end", async () => {
    const seller = await makeSeller();
    expect(form.keyMissing).toMatch(new RegExp(`^Salve primeiro . .+ ${nameWithArticle(provider, "d")}\\.$`));
    await expect(testWebhook(seller.id, provider.name, "")).rejects.toThrow(form.keyMissing);
    const save = (fields: object) => saveGateways(seller.id, gatewaysForm().parse(fields));
    await save({ [field("apiKey")]: rig.apiKey });
    if (provider.webhookProof === "secret")
      await expect(testWebhook(seller.id, provider.name, "")).rejects.toThrow(
        /aceitou a API Key.*Falta o campo “Segredo”.*salve e teste de novo/,
      );
    if (form.keys.some(({ storedAs }) => storedAs === "webhookSecret"))
      await save({ [field("webhookSecret")]: rig.secret });
    // Our own calls carry the id of the request, unless what is sent was signed with another one.
    const tested = await forRequest("a1b2c3d4e5f6a7b8", () => testWebhook(seller.id, provider.name, ""));
    expect(tested).toContain(`${provider.label} aceitou a API Key`);
    await expect(testWebhook(seller.id, provider.name, "outra-chave")).rejects.toThrow(
      `${provider.label} não aceitou a API Key`,
    );
    expect(
      await sql`select 1 from payment_webhooks where provider_id like 'teste-%' and charge_id is null
      and received_at > now() - interval '2 seconds' and provider_id !~ '^teste-[0-9]{9}$'`,
    ).toHaveLength(0);
  });
});
