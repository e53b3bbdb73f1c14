import { describe, expect, test } from "vitest";
import { parseLongIds } from "#app/domain/gateway/providers/mercadopago/parse-long-ids.server.ts";
import { mercadopago } from "#app/domain/gateway/providers/mercadopago/provider.server.ts";
import { codeOf, readOrder, toTransaction } from "#app/domain/gateway/providers/mercadopago/read-order.ts";

/** The secret is `mp_secret`, the request's id `req-1`, the time 1767225600. */
const VECTORS = {
  received: "7fdcb0ac73e5a78d6277f407e0023aaa22e67486dffbe879f2ae1103e04a0f80",
  lower: "09eee5ac06e394aa8fb2f1560a0f67c6ba080735ed6a97626a39539a4784ff27",
};

function isGenuine(
  v1: string,
  { id = "ORD01ABC", named = "ORD01ABC", secret = "mp_secret", ts = "1767225600", requestId = "req-1" } = {},
) {
  const headers: Record<string, string> = { "x-signature": `ts=${ts},v1=${v1}`, "x-request-id": requestId };
  return mercadopago.isWebhookGenuine(secret, {
    body: JSON.stringify({ type: "order", action: "order.processed", data: { id: named } }),
    header: (name) => headers[name] ?? null,
    query: (name) => (name === "data.id" ? id : null),
  });
}

describe("signatures", () => {
  test("of the id as it came and of its small letters are accepted", () => {
    expect(isGenuine(VECTORS.received)).toBe(true);
    expect(isGenuine(VECTORS.lower)).toBe(true);
    expect(isGenuine(VECTORS.lower, { id: "ord01abc" })).toBe(true);
  });

  test("of another order, secret, time or request are not, nor one whose body names another order", () => {
    expect(isGenuine(VECTORS.received, { id: "ORD01ABD" })).toBe(false);
    expect(isGenuine(VECTORS.received, { secret: "outro" })).toBe(false);
    expect(isGenuine(VECTORS.received, { ts: "1767225601" })).toBe(false);
    expect(isGenuine(VECTORS.received, { requestId: "req-2" })).toBe(false);
    expect(isGenuine(VECTORS.received, { named: "ORD01ABD" })).toBe(false);
    for (const wrong of ["", "00", VECTORS.received.toUpperCase()]) expect(isGenuine(wrong)).toBe(false);
  });

  test("our own example has one that is accepted", () => {
    const { headers, query, body } = mercadopago.exampleWebhook("ORD01TESTE", "segredo");
    const webhook = {
      body,
      header: (name: string) => headers[name] ?? null,
      query: (name: string) => query?.[name] ?? null,
    };
    expect(mercadopago.isWebhookGenuine("segredo", webhook)).toBe(true);
    expect(mercadopago.isWebhookGenuine("outro", webhook)).toBe(false);
  });
});

test.each([
  ["order.processed", "paid"],
  ["order.action_required", "open"],
  ["order.refunded", "refunded"],
  ["order.expired", "expired"],
  ["order.charged_back", "disputed"],
  ["order.canceled", "cancelled"],
  ["order.something", "unclear"],
])("a notification of %s is %s, with the id in capitals", (action, state) => {
  const body = { type: "order", action, data: { id: "ord01abc", external_reference: "pedido" } };
  expect(mercadopago.parseWebhook(JSON.stringify(body))).toMatchObject({
    ...{ providerId: "ORD01ABC", reference: "pedido", state, providerStatus: action },
  });
});

test("a notification of a chargeback keeps each digit of its id, and no text is changed", () => {
  const about = (id: string) =>
    `{"type":"topic_chargebacks_wh","data":{"id": ${id}, "payment_id":86439942806}}`;
  for (const id of ["234000062890459123", '"234000062890459123"', "123456"])
    expect(mercadopago.parseWebhook(about(id))).toEqual({ disputeId: id.replaceAll('"', "") });
  for (const id of ["null", '"<b>"', "{}", "1.5"]) expect(mercadopago.parseWebhook(about(id))).toBeNull();
  const text = JSON.stringify({ note: '"id": 234000062890459123, "x"' });
  expect(parseLongIds(text)).toEqual(JSON.parse(text));
});

test("notifications of other topics are nothing of ours, and anything else is none", () => {
  expect(mercadopago.parseWebhook('{"type":"payment","data":{"id":"1"}}')).toBe("nothing");
  const ipn = '{"topic":"merchant_order","resource":"https://api.mercadolibre.com/merchant_orders/1"}';
  expect(mercadopago.parseWebhook(ipn)).toBe("nothing");
  for (const body of ["{}", "[]", '{"type":"order"}', '{"type":"order","data":{"id":"<b>"}}'])
    expect(mercadopago.parseWebhook(body), body).toBeNull();
});

describe("an order", () => {
  const payment = { id: "PAY01ABC", amount: "16.18", payment_method: { qr_code: "x".repeat(60) } };
  const order = (fields: object, payments: object[] = [payment], refunds?: object[]) =>
    readOrder({ id: "ORD01ABC", status: "processed", transactions: { payments, refunds }, ...fields });

  test.each([
    ["action_required", "waiting_transfer", "open"],
    ["processed", "accredited", "paid"],
    ["processed", "partially_refunded", "paid"],
    ["processed", "refunded", "refunded"],
    ["processed", "in_process", "unclear"],
    ["canceled", "canceled", "cancelled"],
    ["failed", "failed", "cancelled"],
    ["expired", "expired", "expired"],
    ["charged_back", "in_process", "chargedback"],
    ["nonsense", null, "unclear"],
  ])("that is %s with %s is %s", (status, status_detail, state) => {
    expect(toTransaction(order({ status, status_detail })!, null)).toMatchObject({
      state,
      amountCents: 1618,
    });
  });

  test.each([
    ["processing", true],
    ["in_review", true],
    ["created", undefined],
    ["action_required", undefined],
    ["processed", undefined],
  ])("that is %s may have been paid without a confirmation: %s", (status, isProcessing) => {
    expect(toTransaction(order({ status })!, "pix").isProcessing).toBe(isProcessing);
  });

  test("counts in cents what was paid and what went back", () => {
    const paid = { ...payment, paid_amount: "50" };
    const refunds = [
      { amount: "5.00", status: "processed" },
      { amount: "0.5", status: "processed" },
      { amount: "3.00", status: "processing" },
      { amount: "2.00", status: "failed" },
    ];
    const read = order({ status_detail: "partially_refunded" }, [paid], refunds)!;
    expect(toTransaction(read, "pix")).toMatchObject({
      state: "paid",
      amountCents: 5000,
      refundedCents: 550,
    });
  });

  test.each([
    ["its amounts are numbers", {}, { amount: 97, paid_amount: 97.5 }, 9750],
    ["its words are in capitals", { status: "PROCESSED", status_detail: "ACCREDITED" }, {}, 1618],
    ["its payment's id is a number", {}, { id: 123 }, 1618],
    ["its method is no object", {}, { payment_method: "pix" }, 1618],
  ])("is read though %s", (_, fields, changes, amountCents) => {
    const read = order({ status_detail: "accredited", ...fields }, [{ ...payment, ...changes }]);
    expect(toTransaction(read!, "pix")).toMatchObject({ state: "paid", amountCents });
  });

  test("with an amount of another form is not read as one of another amount", () => {
    for (const amount of [
      null,
      "",
      "97,00",
      "1.234,56",
      "1,234.56",
      19.999,
      -1,
      1e21,
      Number.NaN,
      true,
      [97],
    ])
      expect(order({}, [{ ...payment, amount }]), String(amount)).toBeNull();
  });

  test.each([
    ["no amount, and is not done", { amount: null, status: "processing" }, false],
    ["no amount", { amount: null, status: "processed" }, true],
    ["no status", { amount: "3.00" }, true],
    ["nothing", null, true],
  ])("with a refund of which it states %s keeps the others", (_, unread, areRefundsUnread) => {
    const refunds = [{ amount: "5.00", status: "PROCESSED" }, unread] as object[];
    const part = toTransaction(order({ status_detail: "partially_refunded" }, [payment], refunds)!, "pix");
    expect(part).toMatchObject({ state: "paid", refundedCents: 500, areRefundsUnread });
    // Of one that went back the sum of some refunds is not all.
    const all = toTransaction(order({ status_detail: "refunded" }, [payment], refunds)!, "pix");
    expect(all).toMatchObject({ state: "refunded", refundedCents: areRefundsUnread ? null : 500 });
    expect(all.areRefundsUnread).toBe(false);
  });

  test.each([
    ["processing", true],
    ["in_process", true],
    ["a_new_word", true],
    ["processed", false],
    ["failed", false],
    ["rejected", false],
    ["cancelled", false],
  ])("with a refund that is %s has an open one: %s", (status, hasOpenRefunds) => {
    const refunds = [
      { amount: "5.00", status: "PROCESSED" },
      { amount: "10.00", status },
    ];
    const read = order({ status_detail: "accredited" }, [payment], refunds)!;
    expect(toTransaction(read, "pix")).toMatchObject({ state: "paid", hasOpenRefunds });
  });

  test("of a card is one whatever it calls its method", () => {
    const unnamed = { ...payment, paid_amount: "18.00", payment_method: { id: "visa", type: null } };
    const read = order({ status_detail: "accredited" }, [unnamed])!;
    expect(toTransaction(read, "card")).toMatchObject({ amountCents: 1618, buyerCents: 1800 });
    const failed = order({ status: "failed" }, [unnamed])!;
    expect(toTransaction(failed, "card")).toMatchObject({ state: "declined" });
  });

  const card = (fields: object, detail: string, security?: object) =>
    toTransaction(
      order(fields, [
        {
          ...{ id: "PAY01ABC", amount: "16.18", status_detail: detail },
          payment_method: { type: "credit_card", transaction_security: security },
        },
      ])!,
      "card",
    );

  test.each([
    [{ url: "https://banco.example/3ds" }, "https://banco.example/3ds"],
    [{ url: "3ds" }, null],
    [undefined, null],
  ])(
    "by card that waits for its bank's challenge is in review, with the bank's page: %j",
    (security, url) => {
      const waiting = card({ status: "action_required" }, "pending_challenge", security);
      expect(waiting).toMatchObject({ state: "in_review", challenge: { url } });
      const reviewed = card({ status: "processing", status_detail: "in_review" }, "in_review", security);
      expect(reviewed).toMatchObject({ state: "in_review", challenge: null });
    },
  );

  test.each([
    ["failed", "failed", "cc_rejected_3ds_challenge", "challenge-failed"],
    ["canceled", "3ds_challenge_expired", "3ds_challenge_expired", "challenge-expired"],
    ["failed", "3ds_challenge_expired", "failed", "challenge-expired"],
    ["failed", "failed", "cc_rejected_3ds_mandatory", "challenge-required"],
    ["failed", "failed", "something_new", "other"],
    ["failed", "failed", "cc_rejected_bad_filled_card_number", "card-data"],
    ["failed", "failed", "cc_rejected_bad_filled_date", "card-data"],
    ["failed", "failed", "cc_rejected_bad_filled_security_code", "card-data"],
    ["failed", "failed", "cc_rejected_bad_filled_other", "card-data"],
    ["failed", "failed", "bad_filled_card_data", "card-data"],
    ["failed", "failed", "cc_rejected_insufficient_amount", "limit"],
    ["failed", "failed", "rejected_insufficient_amount", "limit"],
    ["failed", "failed", "cc_rejected_call_for_authorize", "call-issuer"],
    ["failed", "failed", "required_call_for_authorize", "call-issuer"],
    ["failed", "failed", "cc_rejected_high_risk", "risk"],
    ["failed", "failed", "rejected_high_risk", "risk"],
    ["failed", "failed", "cc_rejected_blacklist", "risk"],
    ["failed", "failed", "cc_rejected_card_disabled", "card-disabled"],
    ["failed", "failed", "cc_rejected_invalid_installments", "instalments"],
    ["failed", "failed", "cc_rejected_max_attempts", "attempts"],
    ["failed", "failed", "cc_rejected_other_reason", "issuer"],
    ["failed", "failed", "rejected_by_issuer", "issuer"],
    ["failed", "failed", "rejected_insufficient_data", "holder-data"],
  ])("by card that is %s/%s with %s was declined: %s", (status, status_detail, detail, reason) => {
    expect(card({ status, status_detail }, detail)).toMatchObject({
      state: "declined",
      decline: { reason, detail },
      challenge: null,
    });
  });

  test("without a code, with a strange amount or without payments is not one that is shown", () => {
    expect(codeOf(order({}, [{ ...payment, payment_method: null }])!)).toBeNull();
    for (const amount of ["16,18", "-1", "1e3", "16.181", 16.181])
      expect(order({}, [{ ...payment, amount }])).toBeNull();
    expect(order({}, [])).toBeNull();
  });
});
