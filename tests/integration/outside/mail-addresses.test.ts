import { beforeAll, expect, test } from "vitest";
import { smtpSender } from "#app/domain/mail/sending/senders/smtp.server.ts";
import * as apiRegister from "#app/routes/api/account/register.ts";
import * as apiTemplate from "#app/routes/api/email/template.ts";
import * as apiTest from "#app/routes/api/email/test-email.ts";
import * as apiOrder from "#app/routes/api/payments/pushinpay.ts";
import * as apiCustomer from "#app/routes/api/sales/customer.ts";
import * as forgotten from "#app/routes/auth/forgot-password.tsx";
import * as register from "#app/routes/auth/register.tsx";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import * as findPurchase from "#app/routes/buyer/find-purchase.tsx";
import * as sale from "#app/routes/seller/sale/sale.tsx";
import * as emailSettings from "#app/routes/seller/settings/email/email.tsx";
import * as settings from "#app/routes/seller/settings/settings.tsx";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";

const TWO_TO_MAIL_PROGRAMS = [
  "a,vitima@x.co",
  "<vitima@x.co>",
  "a@x.co,vitima@x.co",
  '"a" <vitima@x.co>',
  "a;b@x.co",
];

let cookie: Record<string, string>;
let params: Record<string, string>;

beforeAll(async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeGateway(seller);
  const { id } = await makeSale(product);
  cookie = await signedIn(seller);
  params = { productId: String(product.id), saleId: id };
});

const person = { name: "Ana", password: "uma senha comprida", confirmPassword: "uma senha comprida" };
const buyer = { customer_name: "Ana", customer_phone: "11987654321", customer_document: "52998224725" };
const template = apiBodies["POST /api/email/template"] as Record<string, string>;

type Way = [string, RouteModule, (email: string) => URLSearchParams | object, string?];
const ways: Way[] = [
  ["the registration", register, (email) => new URLSearchParams({ ...person, email })],
  ["the API's registration", apiRegister, (email) => ({ ...person, email })],
  ["a forgotten password", forgotten, (email) => new URLSearchParams({ email })],
  ["the profile", settings, (email) => new URLSearchParams({ intent: "profile", name: "Ana", email })],
  ["the checkout", checkout, (email) => new URLSearchParams({ ...buyer, customer_email: email })],
  [
    "the API's order",
    apiOrder,
    (email) => ({ ...buyer, product_id: params.productId, customer_email: email }),
  ],
  ["a lost purchase", findPurchase, (email) => new URLSearchParams({ email })],
  [
    "a sale's customer",
    sale,
    (email) => new URLSearchParams({ customer_name: "Ana", customer_email: email }),
  ],
  ["the API's customer", apiCustomer, (email) => ({ customer_name: "Ana", customer_email: email }), "PUT"],
  ["the test mail", emailSettings, (email) => new URLSearchParams({ intent: "test", test_email: email })],
  ["the API's test mail", apiTest, (email) => ({ test_email: email })],
  [
    "the sender",
    emailSettings,
    (email) => new URLSearchParams({ intent: "save", ...template, sender_email: email }),
  ],
  ["the API's sender", apiTemplate, (email) => ({ ...template, sender_email: email })],
];

test.each(ways)("%s accepts one address and nothing beside it", async (_, route, body, method = "POST") => {
  for (const email of TWO_TO_MAIL_PROGRAMS) {
    const answer = await call(route, "/", { method, params, headers: cookie, body: body(email) });
    expect([email, answer.status]).toEqual([email, 400]);
    expect(await answer.text()).toMatch(/e-?mail[^"<]*inválido/i);
  }
  const stored = await sql`select 1 from sellers where email like '%vitima%'
    union all select 1 from mails where recipient like '%vitima%'
    union all select 1 from sales where customer_email like '%vitima%'`;
  expect(stored).toHaveLength(0);
});

test("an address registered before this rule is not sent to by SMTP", async () => {
  const mail = { from: "a@exemplo.com.br", to: "a,vitima@x.co", subject: "Oi", html: "<p>Oi", text: "Oi" };
  const sent = smtpSender("smtp://localhost:1")({ id: "a", idempotencyKey: "a", mail });
  await expect(sent).rejects.toMatchObject({ message: "endereço inválido", isRetryable: false });
});
