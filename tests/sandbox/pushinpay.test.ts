import { isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";
import { until } from "./webhook-receiver.ts";

const { post, get, cashIn, query, refund, charge, control, view } = await openSandbox();
const LOWERCASE = /^[0-9a-f-]{36}$/;

test("a charge comes with a lowercase id, a number for its value, a payable code and a real picture", async () => {
  const response = await cashIn({ value: 1990, webhook_url: "https://loja.example/w?x=1" });
  const body = await response.json();
  expect(response.status).toBe(200);
  expect(body).toMatchObject({
    status: "created",
    value: 1990,
    webhook_url: "https://loja.example/w?x=1",
    split_rules: [],
    end_to_end_id: null,
    payer_name: null,
  });
  expect(body.id).toMatch(LOWERCASE);
  expect(isValidPixPayload(body.qr_code)).toBe(true);
  expect(body.qr_code).toContain("540519.90");
  const [prefix, image] = body.qr_code_base64.split(",");
  expect(prefix).toBe("data:image/png;base64");
  expect(Buffer.from(image, "base64").subarray(1, 4).toString()).toBe("PNG");
});

test("the picture can be bare or left out", async () => {
  await control("/pushinpay", { qrImage: "bare" });
  expect((await charge()).qr_code_base64).toMatch(/^iVBOR/);
  await control("/pushinpay", { qrImage: "absent" });
  expect(await charge()).not.toHaveProperty("qr_code_base64");
});

test("an unknown token is refused with Laravel's message", async () => {
  for (const token of ["", "abc", "1|producao", "sandbox-demo"]) {
    const response = await cashIn({ value: 100 }, token);
    expect([response.status, await response.json()]).toEqual([401, { message: "Unauthenticated." }]);
  }
});

test.each([[{}], [{ value: 49 }], [{ value: 10.5 }], [{ value: "1000" }], [{ value: null }]])(
  "a value of %j is refused with 422",
  async (body) => {
    const response = await cashIn(body);
    const { message, errors } = await response.json();
    expect(response.status).toBe(422);
    expect(errors.value).toEqual([message]);
  },
);

test("fifty cents are enough", async () => {
  expect((await cashIn({ value: 50 })).status).toBe(200);
});

test("a value above the account's limit is refused", async () => {
  await control("/pushinpay", { maxValue: 15000 });
  expect((await cashIn({ value: 15001 })).status).toBe(422);
  expect((await cashIn({ value: 15000 })).status).toBe(200);
});

test("splits above half, or to an unknown account, are refused", async () => {
  const account_id = "9C3D8A5E-0000-4000-8000-000000000001";
  const split = (rule: object) => cashIn({ value: 1000, split_rules: [rule] }).then(({ status }) => status);
  expect(await split({ value: 500, account_id })).toBe(200);
  expect(await split({ value: 501, account_id })).toBe(422);
  expect(await split({ value: 100, account_id: "00000000-0000-0000-0000-000000000000" })).toBe(422);
});

test("a body that is not JSON is refused with 406", async () => {
  const response = await post("/pushinpay/api/pix/cashIn", undefined, {
    authorization: "Bearer 1|sandbox-demo",
  });
  expect(response.status).toBe(422);
  const { url } = response;
  const broken = await fetch(url, {
    method: "POST",
    body: "{",
    headers: { "content-type": "application/json", authorization: "Bearer 1|sandbox-demo" },
  });
  expect(broken.status).toBe(406);
});

test("a query answers in UPPERCASE, with the value as text and the code under pix_details", async () => {
  const { id, qr_code } = await charge();
  const body = await (await query(id!)).json();
  expect(body).toMatchObject({
    id: id!.toUpperCase(),
    status: "created",
    value: "1990",
    payment_type: "pix",
    fee: null,
    total: null,
    pix_details: { emv: qr_code },
  });
  expect(body).not.toHaveProperty("qr_code");
  expect(Date.parse(body.pix_details.expiration_date) - Date.parse(body.created_at)).toBe(30 * 60_000);
});

test("ids are found in any letter case", async () => {
  const { id } = await charge();
  expect((await query(id!.toUpperCase())).status).toBe(200);
});

test("an unknown id answers 404 with an empty list, however often it is queried", async () => {
  for (let time = 0; time < 3; time += 1) {
    const response = await query("9c3d8a5e-0000-4000-8000-000000000001");
    expect([response.status, await response.json()]).toEqual([404, []]);
  }
});

test("another account's charge does not exist", async () => {
  const { id } = await charge();
  expect((await query(id!, "2|sandbox-outra")).status).toBe(404);
  expect((await refund(id!, "2|sandbox-outra")).status).toBe(404);
  expect((await query(id!)).status).toBe(200);
});

test("a second query within a minute is refused, and counted", async () => {
  const { id } = await charge();
  const other = await charge();
  expect((await query(id!)).status).toBe(200);
  const refused = await query(id!);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await query(other.id!)).status).toBe(200);
  await control("/clock", { advanceSeconds: 60 });
  expect((await query(id!)).status).toBe(200);
  expect((await view("/calls")).pushinpay).toMatchObject({
    cashIn: 2,
    transaction: 4,
    gateRefusals: 1,
    perTransaction: { [id!]: 3, [other.id!]: 1 },
  });
});

test("the gate can be shortened and switched off", async () => {
  const { id } = await charge();
  await control("/gate", { enabled: false });
  for (let time = 0; time < 3; time += 1) expect((await query(id!)).status).toBe(200);
  await control("/gate", { enabled: true, seconds: 5 });
  expect((await query(id!)).headers.get("retry-after")).toBe("5");
});

test("a paid charge shows payer, fee and end-to-end id", async () => {
  const { id } = await charge();
  await control(`/transactions/${id!.toUpperCase()}/pay`);
  const body = await (await query(id!)).json();
  expect(body).toMatchObject({
    status: "paid",
    value: "1990",
    fee: 35,
    total: 1955,
    payer_name: "Maria da Silva",
  });
  expect(body.end_to_end_id).toHaveLength(32);
});

test("a different amount can be paid", async () => {
  const { id } = await charge();
  expect(await control(`/transactions/${id}/pay`, { value: 500 })).toMatchObject({
    status: "paid",
    value: 500,
  });
  expect((await (await query(id!)).json()).value).toBe("500");
});

test("an expired or cancelled charge can still be paid, a paid one can no longer end", async () => {
  const { id } = await charge();
  expect((await control(`/transactions/${id}/expire`)).status).toBe("expired");
  expect((await control(`/transactions/${id}/cancel`)).status).toBe("canceled");
  expect((await control(`/transactions/${id}/pay`)).status).toBe("paid");
  expect((await post(`/control/transactions/${id}/expire`)).status).toBe(409);
});

test("a refund answers an empty list, happens a little later, and happens once", async () => {
  const { id } = await charge();
  await control("/gate", { enabled: false });
  expect((await refund(id!)).status).toBe(422);
  await control(`/transactions/${id}/pay`);
  const requested = await refund(id!.toUpperCase());
  expect([requested.status, await requested.json()]).toEqual([200, []]);
  expect((await (await query(id!)).json()).status).toBe("paid");
  const again = await refund(id!);
  expect(again.status).toBe(422);
  expect((await again.json()).message).toBeTypeOf("string");
  await until(async () => (await (await query(id!)).json()).status === "refunded");
  expect((await refund(id!)).status).toBe(422);
});

test("a refund is refused after ninety days", async () => {
  const { id } = await charge();
  await control(`/transactions/${id}/pay`);
  await control("/clock", { advanceSeconds: 91 * 86_400 });
  expect((await refund(id!)).status).toBe(422);
});

test("a disputed payment stays paid on the wire until the bank takes it back", async () => {
  const { id } = await charge();
  await control("/gate", { enabled: false });
  const statusOf = async () => (await (await query(id!)).json()).status;
  expect((await post(`/control/transactions/${id}/contest`)).status).toBe(409);
  await control(`/transactions/${id}/pay`);
  expect((await post(`/control/transactions/${id}/accept`)).status).toBe(409);
  expect((await control(`/transactions/${id}/contest`)).contested).toBe(true);
  expect((await post(`/control/transactions/${id}/contest`)).status).toBe(409);
  expect(await statusOf()).toBe("paid");
  expect((await control(`/transactions/${id}/reject`)).contested).toBe(false);
  await control(`/transactions/${id}/contest`);
  await control(`/transactions/${id}/accept`);
  expect(await statusOf()).toBe("refunded");
});

test("an unknown route answers 404 with a message", async () => {
  const response = await get("/pushinpay/api/pix/create");
  expect([response.status, Object.keys(await response.json())]).toEqual([404, ["message"]]);
});
