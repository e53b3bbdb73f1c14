import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ keepWorker: true });

/** Each is unmistakable and in the form its service wants. */
const PLANTED = {
  pushinpay_api_key: "77|sandbox-MARCAxPUSHINxKEY",
  pushinpay_webhook_secret: "MARCAxPUSHINxSECRET",
  stripe_public_key: "pk_live_MARCAxSTRIPExPUBLIC",
  stripe_secret_key: "sk_live_MARCAxSTRIPExSECRET",
  mercadopago_public_key: "APP_USR-MARCAxMPxPUBLIC",
  mercadopago_access_token: "APP_USR-sandbox-MARCAxMPxTOKEN",
  utmfy_api_token: "sandbox-MARCAxUTMFYxTOKEN",
  resend_api_key: "re_MARCAxRESENDxKEY",
};

test("secrets that were saved come out nowhere: answers, pages, errors, log, tables", async () => {
  const seller = await makeSeller();
  const headers = { ...(await signedIn(seller)), "Content-Type": "application/json" };
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed" });
  const received: string[] = [];
  const say = async (method: string, path: string, body?: object) => {
    const answer = await app.fetch(path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    received.push(
      `${method} ${path} ${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`,
    );
    return answer.status;
  };
  const post = (path: string, body: object = {}) => say("POST", path, body);

  const whole = {
    ...PLANTED,
    pushinpay_enabled: true,
    stripe_enabled: true,
    mercadopago_enabled: true,
    utmfy_enabled: true,
  };
  expect(await post("/api/settings/gateways", whole)).toBe(200);
  // Refused, with the secret in the posted form.
  await post("/api/settings/gateways", {
    ...PLANTED,
    stripe_secret_key: PLANTED.stripe_secret_key.repeat(30),
  });
  await post("/api/settings/gateways", { ...PLANTED, resend_api_key: "MARCAxRESENDxKEY" });
  await post("/api/utmfy/settings", {
    api_token: PLANTED.utmfy_api_token,
    api_url: "https://10.0.0.1/",
    is_enabled: true,
  });
  await post("/api/test/webhook/pushinpay", { api_key: PLANTED.pushinpay_api_key });
  await post("/api/test/webhook/pushinpay", { api_key: "MARCAxPUSHINxKEY" });
  await post("/api/utmfy/test", { api_token: PLANTED.utmfy_api_token, api_url: "", source_id: "" });

  const buyer = {
    product_id: product.id,
    customer_name: "Bia",
    customer_email: "bia@exemplo.com.br",
    customer_phone: "11987654321",
    customer_document: "52998224725",
  };
  // The services echo what they were sent, fail in every way, and finally work.
  for (const mode of ["http-500", "http-429", "reset", "malformed"] as const) {
    await app.sandbox.fault({ service: "pushinpay", mode });
    await post("/api/payments/pushinpay", { ...buyer, customer_email: `${mode}@exemplo.com.br` });
    await app.sandbox.fault({ service: "pushinpay", mode });
    await post("/api/test/webhook/pushinpay");
    await app.sandbox.fault({ service: "utmify", mode });
    await post(`/api/utmfy/retry/${sale.id}`);
    // The pause after a 429 has ended.
    await sql`update destinations set backoff_until = null`;
  }
  for (const status of [400, 404, 422]) {
    const body = { message: `token ${PLANTED.utmfy_api_token}` };
    await app.sandbox.fault({ service: "utmify", mode: `status-${status}`, body });
    await post(`/api/utmfy/retry/${sale.id}`);
  }
  await post(`/api/utmfy/retry/${sale.id}`);
  expect(await post("/api/payments/pushinpay", buyer)).toBe(200);
  await until(async () => (await app.sandbox.orders()).length >= 2, { what: "the new order to be reported" });

  for (const path of [
    "/api/settings/gateways",
    "/api/utmfy/settings",
    "/api/utmfy/debug",
    "/api/email/template",
    "/api/email/domain",
    `/api/sales/${sale.id}/details`,
    "/dashboard",
    "/products",
    "/settings",
    "/settings?tab=gateways",
    "/settings?tab=seguranca",
    "/settings/utmfy",
    "/settings/utmfy/debug",
    "/settings/email",
    `/reports/sales/${sale.id}`,
    `/checkout/${product.id}`,
  ])
    expect(await say("GET", path), path).toBe(200);

  const planted = /MARCAx(?:PUSHINx(?:KEY|SECRET)|STRIPEx|MPx|UTMFYx|RESENDx)\w*/;
  for (const answer of received) expect(answer.match(planted)?.[0], answer.slice(0, 200)).toBeUndefined();
  expect(JSON.stringify(app.log()).match(planted)?.[0]).toBeUndefined();

  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select t::text as row from ${name} t`);
    for (const { row } of rows) expect(String(row).match(planted)?.[0], name).toBeUndefined();
  }
});
