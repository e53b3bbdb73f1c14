import { expect, test } from "vitest";
import { openSandbox, TOKEN } from "./open-sandbox.ts";

const { url, cashIn, query, charge, control, view, post, get } = await openSandbox();
const fault = (mode: string, more: object = {}) =>
  control("/faults", { service: "pushinpay", mode, times: 1, ...more });
const mail = { from: "a@sandbox.local", to: "b@exemplo.com.br", subject: "oi", text: "oi" };
const sendMail = () => post("/resend/emails", mail, { authorization: "Bearer re_sandbox-demo" });

test("an answer fails as often as configured and then no more", async () => {
  await fault("http-500", { times: 2 });
  expect((await cashIn({ value: 100 })).status).toBe(500);
  expect((await cashIn({ value: 100 })).status).toBe(500);
  expect((await cashIn({ value: 100 })).status).toBe(200);
  expect((await view("/calls")).pushinpay.cashIn).toBe(3);
});

test("zero times ends a fault", async () => {
  await fault("http-500", { times: 9 });
  await control("/faults", { service: "pushinpay", times: 0 });
  expect((await cashIn({ value: 100 })).status).toBe(200);
});

test("a fault of a route that the service does not have is refused, also where it is to end", async () => {
  for (const times of [1, 0]) {
    const rule = { service: "pushinpay", mode: "http-500", route: "cashin", times };
    expect((await post("/control/faults", rule)).status).toBe(400);
  }
  const any = { service: "receiver", mode: "http-500", route: "anything" };
  expect((await post("/control/faults", any)).status).toBe(200);
  await control("/faults", { service: "receiver", times: 0 });
});

test("429 states when to retry", async () => {
  await fault("http-429");
  const response = await cashIn({ value: 100 });
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
});

test("422 has Laravel's shape", async () => {
  await fault("http-422");
  const response = await cashIn({ value: 100 });
  expect([response.status, Object.keys(await response.json())]).toEqual([422, ["message", "errors"]]);
});

test("any status can be configured, with its body", async () => {
  await fault("status-403", { body: { message: "Conta bloqueada." } });
  const response = await cashIn({ value: 100 });
  expect([response.status, await response.json()]).toEqual([403, { message: "Conta bloqueada." }]);
});

test("a malformed answer is 200 with broken JSON", async () => {
  await fault("malformed");
  const response = await cashIn({ value: 100 });
  expect(response.status).toBe(200);
  await expect(response.json()).rejects.toThrow(SyntaxError);
});

test("a reset breaks the connection", async () => {
  await fault("reset");
  await expect(cashIn({ value: 100 })).rejects.toThrow("fetch failed");
  expect(await view("/transactions")).toEqual([]);
});

test("a timeout never answers and does nothing", async () => {
  await fault("timeout");
  const hanging = fetch(`${url}/pushinpay/api/pix/cashIn`, {
    method: "POST",
    signal: AbortSignal.timeout(300),
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: '{"value":100}',
  });
  await expect(hanging).rejects.toThrow("timeout");
  expect(await view("/transactions")).toEqual([]);
});

test.each(["http-500", "reset", "malformed"])(
  "with after, the work is done and then %s comes",
  async (mode) => {
    await fault(mode, { after: true });
    const answer = await cashIn({ value: 100 }).then(
      (response) => response.text(),
      () => "",
    );
    expect(answer).not.toContain("qr_code");
    expect(await view("/transactions")).toHaveLength(1);
  },
);

test("a fault of one route leaves the others", async () => {
  await fault("http-500", { route: "transaction" });
  const { id } = await charge();
  expect((await query(id!)).status).toBe(500);
  expect((await query(id!)).status).toBe(200);
});

test("each service fails with its own messages, and only that one", async () => {
  for (const service of ["utmify", "resend", "identity"])
    await control("/faults", { service, mode: "http-500", times: 1 });
  expect((await cashIn({ value: 100 })).status).toBe(200);
  expect(await (await sendMail()).json()).toMatchObject({ statusCode: 500, name: "internal_server_error" });
  expect((await post("/utmify/api-credentials/orders", {})).status).toBe(500);
  expect((await get("/identity/.well-known/openid-configuration")).status).toBe(500);
  expect((await sendMail()).status).toBe(200);
});

test("an answer of the identity provider can get lost after the work", async () => {
  await control("/faults", {
    service: "identity",
    mode: "http-500",
    times: 1,
    after: true,
    route: "discovery",
  });
  expect((await get("/identity/.well-known/openid-configuration")).status).toBe(500);
  expect((await get("/identity/.well-known/openid-configuration")).status).toBe(200);
});

test("an unknown fault is refused", async () => {
  expect((await post("/control/faults", { service: "pushinpay", mode: "flood" })).status).toBe(400);
  expect((await post("/control/faults", { service: "paypal", mode: "reset" })).status).toBe(400);
});
