import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { openDestination } from "#app/domain/delivery/sending/open-destination.server.ts";
import { kiwifyAddress, newToken } from "#app/domain/delivery/webhook/kiwify-body.server.ts";
import { newSecret, standardSignature } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { seal } from "#app/platform/secrets.server.ts";

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const message = {
  id: "msg_test_1",
  at: new Date(1767225600 * 1000),
  body: '{"type":"sale.paid","timestamp":"2026-01-01T00:00:00.000Z","data":{"id":"s_1"}}',
};

test("a message is signed as the Standard Webhooks vector", () => {
  expect(standardSignature([secret], message)).toBe("v1,j6F3Fp/P9IT0t6GMfoaK8AWoXnN62xjB0WrJZmDszwk=");
});

test("during a rotation both secrets sign, and a receiver with either one accepts it", () => {
  const [old, fresh] = [newSecret(), newSecret()];
  const now = { ...message, at: new Date() };
  const headers = {
    "webhook-id": now.id,
    "webhook-timestamp": String(Math.floor(now.at.getTime() / 1000)),
    "webhook-signature": standardSignature([fresh, old], now),
  };
  for (const known of [old, fresh])
    expect(new Webhook(known).verify(now.body, headers)).toMatchObject({ type: "sale.paid" });
  expect(() => new Webhook(newSecret()).verify(now.body, headers)).toThrow("No matching signature");
});

test("a new secret holds 32 random bytes, and a token is as Kiwify shows them", () => {
  expect(Buffer.from(newSecret().replace("whsec_", ""), "base64")).toHaveLength(32);
  expect(newSecret()).not.toBe(newSecret());
  expect(newToken()).toMatch(/^[a-z0-9]{11}$/);
});

const kiwifyOrder =
  '{"order_id":"637e8812-5730-4c4d-9378-c2013c1e2ba5","order_status":"paid","webhook_event_type":"order_approved"}';
const signature = "c50c2497fd7c7fc2cb502a3f15f1b51a97543ffa";

test.each([
  ["https://a.com.br/h", `https://a.com.br/h?signature=${signature}`],
  ["https://a.com.br/h?x=1", `https://a.com.br/h?x=1&signature=${signature}`],
  ["https://a.com.br/h#f", `https://a.com.br/h?signature=${signature}#f`],
])("%s is signed in its query as Kiwify does", (url, signed) => {
  expect(kiwifyAddress(url, "abc123token", kiwifyOrder)).toBe(signed);
  expect(createHmac("sha1", "abc123token").update(kiwifyOrder).digest("hex")).toBe(signature);
});

test("the secret before a rotation signs until its end, and no longer", () => {
  const at = message.at;
  const opened = (previousUntil: Date | null) =>
    openDestination(
      {
        ...{ id: "d", sellerId: "s", name: "W", settings: {}, tokenSealed: null, previousUntil },
        ...{ secretSealed: seal("whsec_b"), previousSecretSealed: seal("whsec_a") },
      } as unknown as Parameters<typeof openDestination>[0],
      at,
    );
  const known = { secret: "whsec_b", token: null };
  expect(opened(new Date(at.getTime() + 1))).toMatchObject({ ...known, previousSecret: "whsec_a" });
  for (const end of [null, at, new Date(at.getTime() - 1)])
    expect(opened(end)).toMatchObject({ ...known, previousSecret: null });
});
