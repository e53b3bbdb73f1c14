import { expect, test } from "vitest";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { pick } from "#app/kit/pick.ts";
import { startApp } from "#tests/support/app.ts";

const app = await startApp({ web: 0, worker: 0 });

type Name = "pushinpay" | "woovi" | "mercadopago";
const REASON = "O limite da conta é R$ 150,00.";

/** What a seller reads of a charge that a provider refused with this. */
async function refusedWith(service: Name, status: number, body: unknown) {
  await app.sandbox.fault({ service, mode: `status-${status}`, body, times: 1 });
  const payer = { name: "Bia Compradora", email: "bia@exemplo.com.br", document: null };
  const charge = {
    amountCents: 9700,
    reference: crypto.randomUUID(),
    webhookUrl: "https://loja.test/w",
    payer,
  };
  return pick(providers, service)!.createCharge({ apiKey: "1|sandbox" }, charge);
}

test.each<[Name, number, object]>([
  ["pushinpay", 422, { message: REASON, errors: null }],
  ["pushinpay", 422, { message: REASON, errors: { value: REASON } }],
  ["pushinpay", 400, { message: REASON, errors: [] }],
  ["pushinpay", 422, { message: null, errors: { account: null, value: [REASON] } }],
  ["pushinpay", 400, { error: REASON }],
  ["woovi", 400, { error: null, errors: [{ message: REASON }] }],
  ["woovi", 400, { error: {}, errors: [null, { message: REASON }] }],
  ["woovi", 400, { error: REASON, errors: "?" }],
  ["mercadopago", 400, { message: REASON, error: "bad_request", status: 400, cause: null }],
  ["mercadopago", 400, { message: REASON, errors: null }],
  ["mercadopago", 400, { errors: [{ code: "property_value", message: REASON, details: null }] }],
  ["mercadopago", 400, { errors: [{ code: null, message: null, details: [{}, REASON] }] }],
])(
  "%s's own reason of a %i reaches the seller though other fields are wrong: %o",
  async (name, status, body) => {
    await expect(refusedWith(name, status, body)).rejects.toMatchObject({
      ...{ kind: "refused", message: `${status}: ${REASON}` },
    });
  },
);

test("a conflict that Mercado Pago names is a refusal though it has no details", async () => {
  const body = { errors: [{ code: "order_already_refunded", message: "Already refunded", details: null }] };
  await app.sandbox.fault({ service: "mercadopago", route: "refund", mode: "status-409", body, times: 1 });
  const refund = { reference: crypto.randomUUID(), amountCents: null };
  await expect(
    pick(providers, "mercadopago")!.refund({ apiKey: "APP_USR-sandbox-x" }, "ORD01ABCDEF", refund),
  ).rejects.toMatchObject({ kind: "refused", message: "409: Already refunded" });
});
