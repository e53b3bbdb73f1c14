import { afterEach, expect, test, vi } from "vitest";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { woovi } from "#app/domain/gateway/providers/woovi/provider.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { cardShop, cardStateOf, orderCard, sendCard } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });
await app.sandbox.webhooks({ drop: true });
const lookUp = woovi as { findByReference: NonNullable<typeof woovi.findByReference> };
const find = lookUp.findByReference;
afterEach(() => vi.restoreAllMocks());

/** An order whose code Woovi created without an answer. */
async function lostCode() {
  const { seller, product } = await cardShop();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  await saveGateways(seller.id, { pushinpay_enabled: false });
  const saleId = await orderCard(product.id);
  await app.sandbox.fault({ service: "woovi", route: "create", mode: "reset", times: 1, after: true });
  await app.sandbox.fault({ service: "woovi", route: "find", mode: "reset", times: 1 });
  await expect(startPix(saleId)).rejects.toThrow("Não conseguimos gerar");
  return { seller, saleId };
}

test("a lost code that its provider does not answer about is looked up six times within the hour, then every two minutes", async () => {
  const { saleId } = await lostCode();
  const lookups = vi.spyOn(lookUp, "findByReference").mockImplementation(async () => {
    throw new ProviderError("no-answer", "nobody answers");
  });
  // The request that lost it was the first.
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  const tooMany = { kind: "too-many", message: expect.stringContaining("em 6 tentativas") };
  for (let attempt = 0; attempt < 3; attempt++) await expect(startPix(saleId)).rejects.toMatchObject(tooMany);
  expect(lookups).toHaveBeenCalledTimes(5);
  await sql`update charges set created_at = created_at - interval '2 minutes' where sale_id = ${saleId}`;
  await sql`update charge_events set at = at - interval '2 minutes'
    where charge_id in (select id from charges where sale_id = ${saleId})`;
  lookups.mockRestore();
  await startPix(saleId);
  expect(await codesOf(saleId)).toEqual({ codes: [{ provider: "woovi", status: "open" }], mails: 1 });
});

async function codesOf(saleId: string) {
  const codes = await sql`select provider, status from charges
    where sale_id = ${saleId} and method = 'pix' order by created_at`;
  const mails =
    await sql`select count(*)::int as count from mails where sale_id = ${saleId} and kind = 'pix'`;
  return { codes: [...codes], mails: mails[0]!.count };
}

test.each([
  [
    "is in review",
    "CONT",
    "ainda está sendo confirmado",
    { status: "pending", charges: [{ status: "in_review" }] },
  ],
  ["was paid", "APRO", "já foi encerrada", { status: "completed", charges: [{ status: "paid" }] }],
])(
  "a lost code is not handed out where a card %s since it was looked up",
  async (_, name, refusal, state) => {
    const { saleId } = await lostCode();
    vi.spyOn(lookUp, "findByReference").mockImplementationOnce(async (...args) => {
      await sendCard(app, saleId, name);
      return find(...args);
    });
    await expect(startPix(saleId)).rejects.toThrow(refusal);
    expect(await cardStateOf(saleId)).toMatchObject(state);
    expect(await codesOf(saleId)).toEqual({ codes: [{ provider: "woovi", status: "failed" }], mails: 0 });
  },
);

test("a lost code that is found late is not handed out beside the one of another account", async () => {
  const { seller, saleId } = await lostCode();
  await saveGateways(seller.id, { pushinpay_enabled: true, first_provider: "woovi" });
  let other: { chargeId: string } | undefined;
  vi.spyOn(lookUp, "findByReference").mockImplementationOnce(async (...args) => {
    await app.sandbox.fault({ service: "woovi", route: "find", mode: "status-503", times: 1 });
    other = await startPix(saleId);
    return find(...args);
  });
  expect(await startPix(saleId)).toEqual(other);
  const codes = [
    { provider: "woovi", status: "failed" },
    { provider: "pushinpay", status: "open" },
  ];
  expect(await codesOf(saleId)).toEqual({ codes, mails: 1 });
});
