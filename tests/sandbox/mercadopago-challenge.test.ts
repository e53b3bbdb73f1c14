import { expect, test } from "vitest";
import { ACCESS_TOKEN, cardCalls } from "./card-orders.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openReceiver, until } from "./webhook-receiver.ts";

const sandbox = await openSandbox();
const { url, post, control } = sandbox;
const { token, charge, find } = cardCalls(sandbox);
const receiver = await openReceiver();

const asking = (validation: string) => ({
  config: { online: { transaction_security: { validation, liability_shift: "required" } } },
});

/** An order that waits for its buyer, and the address of the bank's page. */
async function challenged() {
  await control("/mercadopago", { threeDs: "on_risk" });
  const order = await (await charge(await token(), {}, asking("on_fraud_risk"))).json();
  return { order, page: order.transactions.payments[0].payment_method.transaction_security.url as string };
}

test("an order that asks for validation is challenged, on a page of the sandbox", async () => {
  const { order, page } = await challenged();
  expect(order).toMatchObject({
    ...{ status: "action_required", status_detail: "pending_challenge" },
    transactions: { payments: [{ status: "action_required", status_detail: "pending_challenge" }] },
  });
  expect(new URL(page).origin).toBe(url);
  const text = await (await fetch(page)).text();
  for (const label of [">Confirmar</button>", ">Recusar</button>"]) expect(text).toContain(label);
});

test.each([
  ["confirm", "processed", "accredited", "order.processed"],
  ["refuse", "failed", "cc_rejected_3ds_challenge", "order.failed"],
])(
  "%s ends it, notifies the shop and says so to the page around it",
  async (answer, status, detail, event) => {
    receiver.restart();
    await control("/mercadopago", { accessToken: ACCESS_TOKEN, webhookUrl: receiver.url, secret: "segredo" });
    const { order, page } = await challenged();
    const forms = (await (await fetch(page)).text()).matchAll(/action="([^"]+)"/g);
    const action = [...forms].map(([, to]) => to!).find((to) => to.endsWith(answer))!;
    const done = await (await fetch(new URL(action, page), { method: "POST" })).text();
    expect(done).toContain('parent.postMessage({ status: "COMPLETE" }, "*")');
    const { transactions, ...ended } = await find(order.id);
    expect([ended.status, transactions.payments[0].status_detail]).toEqual([status, detail]);
    expect(transactions.payments[0].payment_method).not.toHaveProperty("transaction_security");
    await until(() => receiver.received.length === 1);
    expect(JSON.parse(receiver.received[0]!.raw).action).toBe(event);
    expect(await (await fetch(page)).text()).toContain("COMPLETE");
  },
);

test("without a request, a setting or an approval there is no challenge", async () => {
  await control("/mercadopago", { threeDs: "on_risk" });
  const statusOf = async (name: string, validation: string) =>
    (await (await charge(await token(name), {}, asking(validation))).json()).status;
  expect(await statusOf("APRO", "never")).toBe("processed");
  expect((await charge(await token("OTHE"), {}, asking("always"))).status).toBe(402);
  await control("/mercadopago", { threeDs: "never" });
  expect(await statusOf("APRO", "always")).toBe("processed");
});

test("a challenge that nobody answers expires", async () => {
  const { order } = await challenged();
  await control(`/transactions/${order.id}/expire`);
  expect(await find(order.id)).toMatchObject({ status: "canceled", status_detail: "3ds_challenge_expired" });
  expect((await post(`/control/transactions/${order.id}/approve`)).status).toBe(409);
  expect((await fetch(`${url}/mercadopago/challenges/outro`)).status).toBe(404);
});
