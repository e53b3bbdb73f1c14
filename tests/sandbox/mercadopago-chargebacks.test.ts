import { expect, test } from "vitest";
import { ACCESS_TOKEN, cardCalls } from "./card-orders.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openReceiver, until } from "./webhook-receiver.ts";

const sandbox = await openSandbox();
const { get, post, control } = sandbox;
const { token, charge, find, act } = cardCalls(sandbox);
const receiver = await openReceiver();
const headers = { authorization: `Bearer ${ACCESS_TOKEN}` };

async function contested(body: object = {}) {
  const { id, transactions } = await (await charge(await token())).json();
  await control(`/transactions/${id}/chargeback?wait=1`, body);
  const order = await find(id);
  return { id, paymentId: transactions.payments[0].id, caseId: order.transactions.chargebacks[0].case_id };
}

const chargeback = async (caseId: string) =>
  (await get(`/mercadopago/v1/chargebacks/${caseId}`, headers)).json();

async function upload(caseId: string, file: Blob, name = "prova.pdf") {
  const body = new FormData();
  body.append("files[]", file, name);
  return fetch(`${sandbox.url}/mercadopago/v1/chargebacks/${caseId}/documentation`, {
    ...{ method: "POST", headers, body },
  });
}

const PDF = new Blob(["%PDF-1.7"], { type: "application/pdf" });

test("a contested order says so, is not refunded, and names its chargeback and its payment", async () => {
  const { id, paymentId, caseId } = await contested();
  expect(await find(id)).toMatchObject({
    ...{ status: "charged_back", status_detail: "in_process" },
    transactions: { chargebacks: [{ transaction_id: paymentId, case_id: caseId, status: "in_process" }] },
  });
  expect((await (await act(id, "refund")).json()).errors[0].code).toBe("cannot_refund_order");
  const found = await chargeback(caseId);
  expect(found).toMatchObject({
    ...{ id: caseId, amount: 100, coverage_applied: null, documentation: [] },
    ...{ documentation_required: true, documentation_status: "pending" },
  });
  expect(Date.parse(found.date_documentation_deadline)).toBeGreaterThan(Date.now());
  const payment = await get(`/mercadopago/v1/payments/${found.payments[0]}`, headers);
  expect(await payment.json()).toMatchObject({ external_reference: "pedido-1" });
  const foreign = await get(`/mercadopago/v1/chargebacks/${caseId}`, {
    authorization: "Bearer APP_USR-sandbox-2",
  });
  expect(foreign.status).toBe(404);
  expect((await post(`/control/transactions/${id}/chargeback`)).status).toBe(409);
});

test.each([
  ["reject", true, "reimbursed", "charged_back"],
  ["accept", false, "settled", "charged_back"],
] as const)("the bank decides by %s, once", async (decision, coverage, detail, status) => {
  const { id, caseId } = await contested();
  await control(`/transactions/${id}/${decision}?wait=1`);
  expect(await chargeback(caseId)).toMatchObject({
    ...{ coverage_applied: coverage, documentation_status: "not_supplied" },
  });
  expect(await find(id)).toMatchObject({ status, status_detail: detail });
  expect((await post(`/control/transactions/${id}/accept`)).status).toBe(409);
  const refund = await act(id, "refund");
  expect(refund.status).toBe(coverage ? 201 : 409);
});

test("documents are accepted once, of three types, until the deadline, and where they are wanted", async () => {
  const { id, caseId } = await contested();
  expect((await upload(caseId, new Blob(["x"], { type: "text/plain" }))).status).toBe(400);
  expect((await upload(caseId, PDF)).status).toBe(200);
  expect(await chargeback(caseId)).toMatchObject({
    documentation_status: "review_pending",
    documentation: [{ type: "application/pdf", description: "File: prova.pdf, Size: 8" }],
  });
  expect((await upload(caseId, PDF)).status).toBe(400);
  await control(`/transactions/${id}/reject`);
  expect(await chargeback(caseId)).toMatchObject({ documentation_status: "valid" });
  const unwanted = await contested({ days: null });
  expect(await chargeback(unwanted.caseId)).toMatchObject({
    ...{ documentation_required: false, documentation_status: "not_applicable" },
    date_documentation_deadline: null,
  });
  expect((await upload(unwanted.caseId, PDF)).status).toBe(400);
  const late = await contested({ days: 1 });
  await control("/clock", { advanceSeconds: 2 * 24 * 3600 });
  expect(await chargeback(late.caseId)).toMatchObject({ documentation_status: "not_supplied" });
  expect((await upload(late.caseId, PDF)).status).toBe(400);
  expect((await upload("123", PDF)).status).toBe(404);
});

test.each([
  [["order"], ["order.charged_back"]],
  [["topic_chargebacks_wh"], ["topic_chargebacks_wh"]],
  [
    ["order", "topic_chargebacks_wh"],
    ["order.charged_back", "topic_chargebacks_wh"],
  ],
])(
  "an application that wants %j is notified of a chargeback and its verdict so",
  async (topics, expected) => {
    const { id } = await (await charge(await token())).json();
    receiver.restart();
    const application = { accessToken: ACCESS_TOKEN, webhookUrl: receiver.url, secret: "segredo" };
    await control("/mercadopago", { ...application, topics });
    for (const action of ["chargeback", "reject"]) {
      receiver.restart();
      await control(`/transactions/${id}/${action}?wait=1`);
      await until(() => receiver.received.length === expected.length);
      const bodies = receiver.received.map(({ raw }) => JSON.parse(raw));
      expect(bodies.map((body) => body.action ?? body.type).sort()).toEqual(expected);
      const about = bodies.find(({ type }) => type === "topic_chargebacks_wh");
      if (about)
        expect(await chargeback(String(about.data.id))).toMatchObject({ payments: [about.data.payment_id] });
    }
  },
);

test("the sandbox's page shows a contested card with the bank's buttons", async () => {
  await contested();
  const page = await (await get("/")).text();
  for (const text of ["Contestada", "/accept", "/reject"]) expect(page).toContain(text);
});
