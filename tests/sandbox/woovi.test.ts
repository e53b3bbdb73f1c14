import { verify } from "node:crypto";
import { isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";
import { openReceiver, until } from "./webhook-receiver.ts";

const { url, post, get, control, view } = await openSandbox();
const receiver = await openReceiver();
const APP = "sandbox-loja-1";
const as = (appId = APP) => ({ authorization: appId });

const create = (body: object, query = "", appId = APP) =>
  post(`/woovi/api/v1/charge${query}`, body, as(appId));
const find = (id: string, appId = APP) => get(`/woovi/api/v1/charge/${id}`, as(appId));
const giveBack = (id: string, body: object) => post(`/woovi/api/v1/charge/${id}/refund`, body, as());
const refundsOf = async (id: string) =>
  (await (await get(`/woovi/api/v1/charge/${id}/refund`, as())).json()).refunds;

async function charge(correlationID: string, value = 1990) {
  return (await (await create({ correlationID, value, expiresIn: 1800 })).json()).charge;
}

async function paid(correlationID: string, value = 1990) {
  await charge(correlationID, value);
  await control(`/transactions/${correlationID}/pay?wait=1`);
}

test("a charge has a payable code, our id and an expiry", async () => {
  const body = await charge("pedido-Um_1");
  expect(body).toMatchObject({
    status: "ACTIVE",
    correlationID: "pedido-Um_1",
    value: 1990,
    expiresIn: 1800,
  });
  expect(isValidPixPayload(body.brCode)).toBe(true);
  expect(body.brCode).toContain("540519.90");
  expect(Date.parse(body.expiresDate) - Date.now()).toBeGreaterThan(1_790_000);
});

test("the AppID is sent bare; another account's charge is unknown, with 400", async () => {
  await charge("pedido-1");
  for (const authorization of ["", "Bearer sandbox-loja-1", "producao"])
    expect((await get("/woovi/api/v1/charge/pedido-1", { authorization })).status).toBe(401);
  const answer = await find("pedido-1", "sandbox-loja-2");
  expect([answer.status, await answer.json()]).toEqual([400, { error: "Cobrança não encontrada" }]);
});

test("one id never makes two charges", async () => {
  const first = await charge("pedido-1");
  expect((await create({ correlationID: "pedido-1", value: 1990 })).status).toBe(400);
  const again = await create({ correlationID: "pedido-1", value: 1990 }, "?return_existing=true");
  expect((await again.json()).charge.brCode).toBe(first.brCode);
  expect(await view("/transactions")).toMatchObject([{ provider: "woovi", id: "pedido-1" }]);
});

test.each([[{}], [{ correlationID: "x" }], [{ correlationID: "x", value: 10.5 }], [{ value: 100 }]])(
  "%j is refused",
  async (body) => {
    expect((await create(body)).status).toBe(400);
  },
);

test("a refund in parts is listed, has an id that is not refunded twice, and leaves the charge COMPLETED", async () => {
  await paid("pedido-1");
  const first = await giveBack("pedido-1", { correlationID: "devolucao-1", value: 500 });
  expect((await first.json()).refund).toMatchObject({ status: "IN_PROCESSING", value: 500 });
  await giveBack("pedido-1", { correlationID: "devolucao-1", value: 500 });
  expect(await refundsOf("pedido-1")).toHaveLength(1);
  expect((await giveBack("pedido-1", { correlationID: "devolucao-2", value: 1491 })).status).toBe(400);
  await giveBack("pedido-1", { correlationID: "devolucao-3" });
  await until(async () =>
    (await refundsOf("pedido-1")).every((one: { status: string }) => one.status === "CONFIRMED"),
  );
  expect(await refundsOf("pedido-1")).toMatchObject([{ value: 500 }, { value: 1490 }]);
  expect((await (await find("pedido-1")).json()).charge.status).toBe("COMPLETED");
  expect(await view("/transactions/pedido-1")).toMatchObject({ status: "refunded" });
});

test("refunds are refused without balance, and can end rejected", async () => {
  await paid("pedido-1");
  await control("/woovi", { hasBalance: false });
  const refused = await giveBack("pedido-1", { correlationID: "devolucao-1" });
  expect([refused.status, await refused.json()]).toEqual([400, { error: "Saldo insuficiente" }]);
  await control("/woovi", { hasBalance: true, refunds: "rejected" });
  await giveBack("pedido-1", { correlationID: "devolucao-2" });
  await until(async () => (await refundsOf("pedido-1"))[0]?.status === "REJECTED");
  expect((await giveBack("pedido-1", { correlationID: "devolucao-3" })).status).toBe(200);
});

test("an unpaid charge can be deleted, a paid one cannot", async () => {
  await charge("pedido-1");
  const remove = (id: string) =>
    fetch(`${url}/woovi/api/v1/charge/${id}`, { method: "DELETE", headers: as() });
  expect((await remove("pedido-1")).status).toBe(200);
  expect((await (await find("pedido-1")).json()).charge.status).toBe("CANCELED");
  await paid("pedido-2");
  expect((await remove("pedido-2")).status).toBe(400);
});

test("webhooks go to the account's address, signed with the current key", async () => {
  await charge("sem-endereco");
  await control("/transactions/sem-endereco/pay?wait=1");
  expect(receiver.received).toEqual([]);
  await control("/woovi", { appId: APP, webhookUrl: receiver.url });
  await paid("pedido-1");
  const { raw: body, headers } = receiver.received.at(-1)!;
  expect(JSON.parse(body)).toMatchObject({
    event: "OPENPIX:CHARGE_COMPLETED",
    charge: { correlationID: "pedido-1", status: "COMPLETED" },
    pix: { value: 1990 },
  });
  const signedBy = async (text: string, signature: string) => {
    const { public_keys } = await (await get("/woovi/api/v1/webhook/public-keys")).json();
    return public_keys.map(({ key }: { key: string }) =>
      verify("RSA-SHA256", Buffer.from(text), key, Buffer.from(signature, "base64")),
    );
  };
  const signature = headers["x-webhook-signature"] as string;
  expect(await signedBy(body, signature)).toEqual([true]);
  await control("/woovi", { rotateKey: "keep" });
  expect(await signedBy(body, signature)).toEqual([false, true]);
  await control("/woovi", { rotateKey: "forget" });
  expect(await signedBy(body, signature)).toEqual([false]);
  expect((await post("/control/woovi", { useKey: "no key" })).status).toBe(400);
});

test("the prefix, a wrong signature and none can be chosen; faults may be named by provider", async () => {
  await control("/woovi", { appId: APP, webhookUrl: receiver.url, prefix: "woovi", signature: "none" });
  await paid("pedido-1");
  expect(JSON.parse(receiver.received.at(-1)!.raw).event).toBe("woovi:CHARGE_COMPLETED");
  expect(receiver.received.at(-1)!.headers).not.toHaveProperty("x-webhook-signature");
  await control("/faults", { provider: "woovi", route: "create", mode: "http-500" });
  expect((await create({ correlationID: "pedido-2", value: 100 })).status).toBe(500);
  expect((await create({ correlationID: "pedido-2", value: 100 })).status).toBe(200);
  expect((await view("/calls")).woovi).toMatchObject({ create: 3 });
});

test("settings of one provider's webhooks leave the others alone", async () => {
  await control("/webhooks", { provider: "pushinpay", drop: true });
  await control("/woovi", { appId: APP, webhookUrl: receiver.url });
  const before = receiver.received.length;
  await paid("pedido-1");
  expect(receiver.received).toHaveLength(before + 1);
  await control("/webhooks", { provider: "woovi", drop: true });
  await paid("pedido-2");
  expect(receiver.received).toHaveLength(before + 1);
});
