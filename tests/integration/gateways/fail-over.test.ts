import { expect, test, vi } from "vitest";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { paths } from "#app/kit/paths.ts";
import { loadIntegrations } from "#app/routes/seller/settings/integrations/loader.server.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCoupon, makeGateway, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ keepWorker: true });

/** A way of a provider to create no code, and what it is called on the charge. */
const FAILURES = {
  "status-401": "credentials",
  "status-422": "refused",
  "status-429": "busy",
  "status-503": "no-answer",
  malformed: "nonsense",
  reset: "no-answer",
} as const;
type Mode = keyof typeof FAILURES;

/** A shop with PushinPay first and Woovi as its spare. */
async function shop() {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}` });
  const ordered = async (fields: object = {}) => {
    const email = `${crypto.randomUUID()}@exemplo.com.br`;
    const customer = { name: "Bia", email, phone: null, document: null };
    return (await placeSale(order(product.id, { customer, ...fields }))).saleId;
  };
  return { seller, product, ordered };
}

const fault = (service: "pushinpay" | "woovi", mode: Mode | `slow-${number}`, times = 1) =>
  app.sandbox.fault({
    ...{ service, mode, times, body: service === "woovi" ? { error: "Não." } : { message: "Não." } },
    route: service === "woovi" ? "create" : "cashIn",
  });

const chargesOf = (saleId: string) =>
  sql`select provider, status, failure_kind from charges where sale_id = ${saleId} order by created_at`;

async function mailsOf(saleId: string): Promise<string[]> {
  const rows = await sql`select kind from mails where sale_id = ${saleId} order by kind`;
  return rows.map(({ kind }) => kind);
}

test.each(Object.keys(FAILURES) as Mode[])(
  "a provider that answers %s is replaced in the same request",
  async (mode) => {
    const { seller, ordered } = await shop();
    const saleId = await ordered();
    await fault("pushinpay", mode);
    const { chargeId } = await startPix(saleId);
    expect(await chargesOf(saleId)).toEqual([
      { provider: "pushinpay", status: "failed", failure_kind: FAILURES[mode] },
      { provider: "woovi", status: "open", failure_kind: null },
    ]);
    const [sale] = await sql`select status from sales where id = ${saleId}`;
    expect(sale!.status).toBe("pending");
    // The buyer hears of the code only, not of the attempt, and the seller only of what the seller has to mend.
    expect(await mailsOf(saleId)).toEqual(["pix"]);
    const ofAccount = await sql`select kind from mails where seller_id = ${seller.id} and sale_id is null`;
    expect(ofAccount.map(({ kind }) => kind)).toEqual(mode === "status-401" ? ["gateway-trouble"] : []);
    expect(await startPix(saleId)).toEqual({ chargeId });
    const history = (await readTimeline(seller.id, saleId)).map(describeTimelineEntry);
    expect(history).toContainEqual(expect.stringMatching(/^O código PIX não foi gerado pela PushInPay: /));
    const items = await findActionItems(seller.id);
    expect(items).toMatchObject(mode === "status-401" ? [{ kind: "key-refused", hasSpare: true }] : []);
  },
);

test("the dashboard speaks of one other provider where there is one", async () => {
  const { seller, ordered } = await shop();
  await fault("pushinpay", "status-401");
  await startPix(await ordered());
  const { Cookie } = await signedIn(seller);
  const html = await (await app.fetch(paths.dashboard(), { headers: { Cookie } })).text();
  expect(html).toContain("Outro provedor seu gera os códigos PIX");
  expect(html).not.toContain("outros provedores");
});

test.each([
  ["first", "pushinpay", "woovi"],
  ["last", "woovi", "pushinpay"],
] as const)(
  "where no account creates a code, the seller is mailed of the key that was refused %s, whatever ailed the other one",
  async (_, refused, silent) => {
    const { ordered } = await shop();
    const saleId = await ordered();
    await fault(refused, "status-401");
    await fault(silent, "status-429");
    await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
    expect(await sql`select idempotency_key as key from mails where sale_id = ${saleId}`).toEqual([
      { key: expect.stringMatching(`^failed-payment/[^/]+/credentials/${refused}$`) },
    ]);
  },
);

test("the account that the seller chose creates the code, and the settings name the other one as the spare", async () => {
  const { seller, ordered } = await shop();
  await saveGateways(seller.id, { first_provider: "woovi" });
  const saleId = await ordered();
  await startPix(saleId);
  expect(await chargesOf(saleId)).toMatchObject([{ provider: "woovi", status: "open" }]);
  const other = await ordered();
  await fault("woovi", "status-429");
  await startPix(other);
  expect(await chargesOf(other)).toMatchObject([
    { provider: "woovi", status: "failed" },
    { provider: "pushinpay", status: "open" },
  ]);
  const { Cookie } = await signedIn(seller);
  const html = await (await app.fetch("/settings?tab=gateways", { headers: { Cookie } })).text();
  expect(html).toContain("Reserva: esta conta gera o PIX quando a Woovi não gerar.");
});

test("an account that does not answer is left after a while, and nothing it creates later is shown", async () => {
  const { ordered } = await shop();
  const saleId = await ordered();
  // It creates the charge, and its answer comes after the spare's code was shown.
  await fault("pushinpay", "slow-6000");
  const call = vi.spyOn(providers.pushinpay!, "createCharge");
  const { chargeId } = await startPix(saleId);
  const failed = { provider: "pushinpay", status: "failed", failure_kind: "no-answer" };
  expect(await chargesOf(saleId)).toEqual([
    failed,
    { provider: "woovi", status: "open", failure_kind: null },
  ]);
  expect(await call.mock.results[0]!.value).toMatchObject({ pixCode: expect.any(String) });
  expect(await startPix(saleId)).toEqual({ chargeId });
  expect(await chargesOf(saleId)).toEqual([
    failed,
    { provider: "woovi", status: "open", failure_kind: null },
  ]);
  expect(await mailsOf(saleId)).toEqual(["pix"]);
});

test("every provider that a seller can connect is tried, in their order, until one creates a code", async () => {
  const { seller, ordered } = await shop();
  for (const provider of Object.keys(providers).slice(2))
    await makeGateway(seller, { provider, apiKey: `APP_USR-sandbox-${crypto.randomUUID()}` });
  const [last] = Object.keys(providers).slice(-1);
  const saleId = await ordered();
  await fault("pushinpay", "status-503");
  await fault("woovi", "status-429");
  await startPix(saleId);
  expect((await chargesOf(saleId)).map(({ provider, status }) => [provider, status])).toEqual(
    Object.keys(providers).map((provider) => [provider, provider === last ? "open" : "failed"]),
  );
});

test("its payment completes the sale once", async () => {
  const { seller, ordered } = await shop();
  const saleId = await ordered();
  await fault("pushinpay", "reset");
  const { chargeId } = await startPix(saleId);
  const [account] =
    await sql`select hook_token from gateway_accounts where seller_id = ${seller.id} and provider = 'woovi'`;
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  const webhookUrl = `${app.url}/api/webhooks/woovi/${account!.hook_token}`;
  await app.sandbox.pay(charge!.provider_id, { wait: true });
  const body = {
    event: "OPENPIX:CHARGE_COMPLETED",
    charge: { correlationID: charge!.provider_id, status: "COMPLETED" },
  };
  for (let time = 0; time < 2; time++) {
    const signed = await app.sandbox.wrap(body, "woovi");
    expect((await fetch(webhookUrl, { method: "POST", ...signed })).status).toBe(200);
  }
  await until(async () => {
    const [sale] = await sql`select status from sales where id = ${saleId}`;
    return sale!.status === "completed";
  });
  const [booked] =
    await sql`select count(*) filter (where paid_cents is not null)::int as paid, count(*)::int as charges
    from charges where sale_id = ${saleId}`;
  expect(booked).toEqual({ paid: 1, charges: 2 });
});

test("if both fail, the last one's failure is the order's", async () => {
  const { ordered } = await shop();
  for (const [mode, status, kinds] of [
    ["status-422", "failed", ["busy", "refused"]],
    ["reset", "pending", ["busy", "no-answer"]],
    ["status-401", "pending", ["busy", "credentials"]],
  ] as const) {
    const saleId = await ordered();
    await fault("pushinpay", "status-429");
    await fault("woovi", mode, 3);
    await expect(startPix(saleId), mode).rejects.toMatchObject({ kind: "unavailable" });
    await app.sandbox.endFaults("woovi");
    const rows = await chargesOf(saleId);
    expect(
      rows.map(({ failure_kind: kind }) => kind),
      mode,
    ).toEqual(kinds);
    const [sale] = await sql`select status from sales where id = ${saleId}`;
    expect(sale!.status, mode).toBe(status);
  }
});

test("an order without the e-mail that the spare needs waits for the first account, and says so where that one is gone", async () => {
  const { seller, product } = await openShop();
  await makeGateway(seller, { provider: "mercadopago", apiKey: "APP_USR-sandbox-1", position: 1 });
  const customer = { name: "Bia", email: null, phone: null, document: null };
  const { saleId } = await placeSale(order(product.id, { customer }));
  await fault("pushinpay", "status-503");
  await expect(startPix(saleId)).rejects.toThrow("Não conseguimos gerar o PIX agora. Nada foi cobrado");
  const tried = [{ provider: "pushinpay", status: "failed", failure_kind: "no-answer" }];
  expect(await chargesOf(saleId)).toEqual(tried);
  await sql`delete from gateway_accounts where seller_id = ${seller.id} and provider = 'pushinpay'`;
  await expect(startPix(saleId)).rejects.toThrow(
    "Para gerar o PIX deste vendedor é preciso informar o e-mail. Volte à página do produto e faça o pedido de novo.",
  );
  expect(await chargesOf(saleId)).toEqual(tried);
  expect(await sql`select status from sales where id = ${saleId}`).toEqual([{ status: "pending" }]);
  expect(await mailsOf(saleId)).toEqual([]);
});

test("ten requests for one order get one code from the spare", async () => {
  const { ordered } = await shop();
  const saleId = await ordered();
  await fault("pushinpay", "status-503", 10);
  const started = await Promise.all(Array.from({ length: 10 }, () => startPix(saleId)));
  expect(new Set(started.map(({ chargeId }) => chargeId)).size).toBe(1);
  const rows = await chargesOf(saleId);
  expect(rows.filter(({ status }) => status !== "failed")).toMatchObject([
    { provider: "woovi", status: "open" },
  ]);
  await app.sandbox.endFaults("pushinpay");
});

test("the last use of a coupon stays with the order that goes on at the spare", async () => {
  const { seller, ordered } = await shop();
  const coupon = await makeCoupon(seller, { code: `C${Date.now()}`, percent: 10, maxUses: 1 });
  const saleId = await ordered({ coupon });
  await fault("pushinpay", "status-503");
  await startPix(saleId);
  const [row] = await sql`select uses from coupons where id = ${coupon.id}`;
  expect(row!.uses).toBe(1);
});

test("no other order takes the last use of a coupon while an order goes on at the spare", async () => {
  const { seller, ordered } = await shop();
  const coupon = await makeCoupon(seller, { code: `C${Date.now()}`, percent: 10, maxUses: 1 });
  const saleId = await ordered({ coupon });
  const called = Promise.withResolvers<Awaited<ReturnType<typeof holdLock>>>();
  vi.spyOn(providers.pushinpay!, "createCharge").mockImplementationOnce(async () => {
    called.resolve(await holdLock((tx) => tx`select from coupons where id = ${coupon.id} for no key update`));
    throw new ProviderError("no-answer", "cut off");
  });
  const starting = startPix(saleId);
  starting.catch(() => {});
  const held = await called.promise;
  await untilLockedOut();
  // As an order of a coupon that is limited per buyer does: it waits behind this one, which is about to return its use.
  const contending = sql.begin(async (tx) => {
    await tx`select from coupons where id = ${coupon.id} for no key update`;
    return tx`update coupons set uses = uses + 1 where id = ${coupon.id} and uses < max_uses returning id`;
  });
  await untilLockedOut(2);
  await held.release();
  expect(await contending).toHaveLength(0);
  await starting;
  expect(await chargesOf(saleId)).toEqual([
    { provider: "pushinpay", status: "failed", failure_kind: "no-answer" },
    { provider: "woovi", status: "open", failure_kind: null },
  ]);
  expect(await sql`select uses from coupons where id = ${coupon.id}`).toEqual([{ uses: 1 }]);
});

test("an order that the spare does not take either returns its use of a coupon", async () => {
  const { seller, ordered } = await shop();
  const coupon = await makeCoupon(seller, { code: `C${Date.now()}`, percent: 10, maxUses: 1 });
  const saleId = await ordered({ coupon });
  vi.spyOn(providers.pushinpay!, "createCharge").mockImplementationOnce(async () => {
    await sql`update coupons set deactivated_at = now() where id = ${coupon.id}`;
    throw new ProviderError("no-answer", "cut off");
  });
  await expect(startPix(saleId)).rejects.toThrow("deste pedido não vale mais");
  expect(await chargesOf(saleId)).toEqual([
    { provider: "pushinpay", status: "failed", failure_kind: "no-answer" },
  ]);
  expect(await sql`select uses from coupons where id = ${coupon.id}`).toEqual([{ uses: 0 }]);
});

test("the settings and the list of integrations say which account is the spare", async () => {
  const { seller } = await shop();
  const { Cookie } = await signedIn(seller);
  const screen = async () => (await app.fetch("/settings?tab=gateways", { headers: { Cookie } })).text();
  const html = await screen();
  expect(html).toContain("Reserva: esta conta gera o PIX quando a PushInPay não gerar.");
  expect(html.match(/>Recebendo pagamentos</g)).toHaveLength(1);
  const badges = async () => {
    const [payments] = await loadIntegrations(seller.id);
    return payments!.connections.map(({ id, badge }) => [id, badge.label]);
  };
  expect(await badges()).toEqual([
    ["pushinpay", "Recebendo pagamentos"],
    ["woovi", "Reserva"],
    ["mercadopago", "Não conectado"],
  ]);
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${seller.id} and provider = 'pushinpay'`;
  expect(await screen()).not.toContain("Reserva");
  expect((await badges()).map(([, label]) => label)).toEqual([
    "Desligada",
    "Recebendo pagamentos",
    "Não conectado",
  ]);
});

test("an account that failed three times is tried last for a minute, and is counted", async () => {
  const { seller, ordered } = await shop();
  await fault("pushinpay", "status-503", 3);
  for (let time = 0; time < 3; time++) await startPix(await ordered());
  const { pushinpay } = await app.sandbox.calls();
  const saleId = await ordered();
  await startPix(saleId);
  expect((await app.sandbox.calls()).pushinpay.cashIn).toBe(pushinpay.cashIn);
  expect(await chargesOf(saleId)).toEqual([{ provider: "woovi", status: "open", failure_kind: null }]);
  const history = (await readTimeline(seller.id, saleId)).map(describeTimelineEntry);
  expect(history).toContain("Código PIX pedido a outra conta: a PushInPay não estava gerando códigos");
  // If the spare fails, the first is tried all the same.
  const other = await ordered();
  await fault("woovi", "status-429");
  await startPix(other);
  expect(await chargesOf(other)).toMatchObject([
    { provider: "woovi", failure_kind: "busy" },
    { provider: "pushinpay", status: "open" },
  ]);
  expect(await findActionItems(seller.id)).toEqual([]);
});

test("two paid codes of an order: the second payment is on its way back at once, without anybody's doing", async () => {
  const { ordered } = await shop();
  const saleId = await ordered();
  const { chargeId: first } = await startPix(saleId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${first}`;
  await fault("pushinpay", "status-503");
  const { chargeId: second } = await startPix(saleId);
  for (const id of [first, second]) {
    const [charge] = await sql`select provider_id from charges where id = ${id}`;
    await app.sandbox.pay(charge!.provider_id);
    // As if a webhook had come from both.
    await sql`update charges set next_check_at = now() where id = ${id} and status = 'open'`;
  }
  await until(async () => {
    const rows = await sql`select r.origin from refunds r join charges c on c.id = r.charge_id
      where c.sale_id = ${saleId} and c.overpaid_at is not null and r.accepted_at is not null`;
    return rows[0]?.origin === "automatic";
  });
  const [sale] = await sql`select status, refunded_cents from sales where id = ${saleId}`;
  expect(sale).toEqual({ status: "completed", refunded_cents: 0 });
});
