import { expect, test } from "vitest";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import type { OpenDestination } from "#app/domain/delivery/destination.ts";
import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { endpointOf, ORDERS_URL } from "#app/domain/delivery/utmify/connection.server.ts";
import { deliveryNote } from "#app/domain/delivery/utmify/delivery-note.server.ts";
import type { UtmifySettings } from "#app/domain/delivery/utmify/settings.ts";
import { utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";

const AT = new Date("2026-01-01T12:00:00Z");

function connection(settings: Partial<UtmifySettings> = {}): OpenDestination {
  return {
    ...{ id: "d", sellerId: "s", name: "UTMify", secret: null, previousSecret: null, token: "segredo" },
    settings: { apiUrl: null, sourceId: "minha loja", former: [], ...settings },
  };
}

function rendered(event: (typeof DELIVERY_EVENTS)[number], settings?: Partial<UtmifySettings>) {
  const notification = sampleNotification(event, { subjectId: "s1", sellerId: "s", createdAt: AT });
  const bodies = utmify.render({ ...notification, isTest: false }, connection(settings));
  return "skipReason" in bodies ? bodies.skipReason : JSON.parse(bodies[0]!);
}

test("six events are states of an order, and the others have none", () => {
  expect(DELIVERY_EVENTS.map((event) => [event, rendered(event).status ?? rendered(event)])).toEqual([
    ["checkout.started", "nothing-to-say"],
    ["pix.generated", "waiting_payment"],
    ["pix.expired", "nothing-to-say"],
    ["sale.paid", "paid"],
    ["sale.refused", "refused"],
    ["refund.requested", "nothing-to-say"],
    ["sale.partially_refunded", "paid"],
    ["sale.refunded", "refunded"],
    ["sale.disputed", "nothing-to-say"],
    ["sale.dispute_won", "nothing-to-say"],
    ["sale.chargedback", "chargedback"],
    ["access.granted", "nothing-to-say"],
    ["access.revoked", "nothing-to-say"],
  ]);
});

test("of an order that went back in part less was paid, and its seller's share is lower", () => {
  expect(rendered("sale.partially_refunded")).toMatchObject({
    status: "paid",
    refundedAt: null,
    commission: { totalPriceInCents: 1490, gatewayFeeInCents: 35, userCommissionInCents: 1455 },
  });
  expect(rendered("sale.refunded").commission).toMatchObject({ totalPriceInCents: 1990 });
});

test("the platform is called as the source was when it was ordered", () => {
  const until = (hours: number) => new Date(AT.getTime() + hours * HOUR).toISOString();
  const former = [
    { sourceId: "primeira", until: until(-1) },
    { sourceId: "segunda", until: until(1) },
    { sourceId: "terceira", until: until(2) },
  ];
  expect(rendered("sale.paid", { former }).platform).toBe("Segunda");
  expect(rendered("sale.paid").platform).toBe("MinhaLoja");
  expect(rendered("sale.paid", { sourceId: "-" }).platform).toBe("Checkintelli");
  // The order of a test is placed five minutes before the moment it is about.
  const atOrder = [{ sourceId: "antes", until: new Date(AT.getTime() - 5 * MINUTE).toISOString() }];
  expect(rendered("sale.paid", { former: atOrder }).platform).toBe("MinhaLoja");
});

test.each([
  [200, "", { result: "taken", reason: "taken" }],
  [201, "", { result: "taken", reason: "taken" }],
  [302, "", { result: "refused", reason: "redirect" }],
  [400, "", { result: "refused", reason: "rejected" }],
  [401, "", { result: "refused", reason: "token" }],
  [404, "", { result: "refused", reason: "token" }],
  [422, "", { result: "refused", reason: "rejected" }],
  [429, "60", { result: "again", reason: "status", retryAfterMs: 60_000 }],
  [429, "999999", { result: "again", reason: "status", retryAfterMs: HOUR }],
  [503, "", { result: "again", reason: "status", retryAfterMs: 0 }],
])("HTTP %i, Retry-After %s", (status, after, verdict) => {
  const headers = new Headers(after ? { "retry-after": after } : {});
  expect(utmify.judge({ status, headers, body: "" })).toEqual(verdict);
});

test("the token is in the header only, and in no log", () => {
  const {
    headers,
    body,
    secrets: keepOut,
    url,
  } = utmify.buildRequest({ id: "m", body: "{}", at: AT, isTest: false }, connection());
  expect([headers["x-api-token"], body, keepOut]).toEqual(["segredo", "{}", ["segredo"]]);
  expect(url).toMatch(/\/api-credentials\/orders$/);
});

test("an order is delivered for 7 days, a refund for 45, in thirteen attempts", () => {
  expect(utmify.maxAge("sale.paid")).toBe(7 * DAY);
  expect(utmify.maxAge("sale.refunded")).toBe(45 * DAY);
  expect(utmify.maxAge("sale.chargedback")).toBe(45 * DAY);
  expect(utmify.retryDelays).toHaveLength(12);
});

test.each([
  [{ status: "sent", reason: "taken" }, null],
  [{ status: "queued", reason: null, responseStatus: null }, null],
  [{ status: "queued", reason: "status", responseStatus: 500 }, /com problemas\.$/],
  [{ status: "queued", reason: "status", responseStatus: 429 }, /esperar\.$/],
  [{ status: "refused", reason: "rejected", responseStatus: 400 }, /recusou os dados/],
  [{ status: "refused", reason: "token", responseStatus: 404 }, /não reconheceu o token/],
  [{ status: "refused", reason: "lost" }, /13 tentativas/],
  [{ status: "refused", reason: "forbidden" }, /não pode ser chamado/],
  [{ status: "too_late", reason: null }, /mais de 45 dias/],
  [{ status: "dropped", reason: "outdated" }, /mais novo deste pedido tomou o lugar dele/],
  [{ status: "dropped", reason: "stopped" }, /desligado/],
  [{ status: "dropped", reason: "timeout" }, /15 segundos\. Um estado mais novo .* no lugar/],
  [{ status: "dropped", reason: "restored" }, /cópia/],
])("the text of %o", (outcome, text) => {
  const note = deliveryNote({ event: "sale.refunded", responseStatus: 0, ...outcome });
  if (text) expect(note).toMatch(text);
  else expect(note).toBeNull();
});

test("an older state of an order never replaces a newer one; refund and chargeback are the last, side by side", () => {
  const ranks = Object.entries(utmify.orderRanks) as [string, number][];
  const byRank = [...Map.groupBy(ranks, ([, rank]) => rank)].sort(([a], [b]) => a - b);
  expect(byRank.map(([, events]) => events.map(([event]) => event))).toEqual([
    ["pix.generated"],
    ["sale.refused"],
    ["sale.paid"],
    ["sale.partially_refunded"],
    ["sale.refunded", "sale.chargedback"],
  ]);
});

test("a fee is reported where it leaves something to the seller", () => {
  const sample = sampleNotification("sale.paid", { subjectId: "s1", sellerId: "s", createdAt: AT });
  const commissionAt = (feeCents: number | null) => {
    const sale = { ...sample.sale, feeCents };
    const [body] = utmify.render({ ...sample, sale }, connection()) as string[];
    return JSON.parse(body!).commission;
  };
  expect(commissionAt(1989)).toMatchObject({ gatewayFeeInCents: 1989, userCommissionInCents: 1 });
  expect(commissionAt(1990)).toMatchObject({ gatewayFeeInCents: 0, userCommissionInCents: 1990 });
  expect(commissionAt(null)).toMatchObject({ gatewayFeeInCents: 0, userCommissionInCents: 1990 });
});

test("a bare host means UTMify's path below it, and any other address is called as it is", () => {
  const host = "https://api.exemplo.com.br";
  expect(endpointOf(host)).toBe(`${host}/api-credentials/orders`);
  expect(endpointOf(`${host}/`)).toBe(`${host}/api-credentials/orders`);
  expect(endpointOf(`${host}/pedidos`)).toBe(`${host}/pedidos`);
  expect(endpointOf(env.UTMIFY_BASE_URL)).toBe(ORDERS_URL);
  expect(endpointOf("nada")).toBe("nada");
});

test("another token or address is another receiver; a saved token goes to no other host", () => {
  const { changesReceiver, tokenRules } = kindOf("utmify");
  const saved = { apiUrl: null, sourceId: "loja", isEnabled: true };
  expect(changesReceiver({ apiUrl: ORDERS_URL }, saved, false)).toBe(false);
  expect(changesReceiver({ apiUrl: ORDERS_URL }, null, true)).toBe(true);
  expect(changesReceiver({ apiUrl: "https://a.com.br/" }, saved, false)).toBe(true);
  expect(tokenRules!.isNeeded({ apiUrl: `${ORDERS_URL}?v=2` }, saved)).toBe(false);
  expect(tokenRules!.isNeeded({ apiUrl: "https://a.com.br/" }, saved)).toBe(true);
  expect(tokenRules!.isNeeded({ apiUrl: "nada" }, saved)).toBe(true);
});

test("UTMify's own address is saved as none, and any other as it is", () => {
  const savedAt = (apiUrl: string) =>
    utmify.columnsOf(
      {
        ...{ name: "UTMify", apiUrl, sourceId: "loja", enabled: true, exceptProductIds: [] },
        events: { purchase: true, chargeback: false, refund: false },
      },
      { row: null, saved: null, hasToken: true } as Parameters<typeof utmify.columnsOf>[1],
    ).settings.apiUrl;
  expect(savedAt(ORDERS_URL)).toBeNull();
  expect(savedAt("https://a.com.br/")).toBe("https://a.com.br/");
});

test("an order has its moments in UTC to the second, what is known of its visit, and no empty address", () => {
  const sample = sampleNotification("sale.refunded", { subjectId: "s1", sellerId: "s", createdAt: AT });
  const orderOf = (more: object) => {
    const [body] = utmify.render({ ...sample, ...more }, connection()) as string[];
    return JSON.parse(body!);
  };
  const whole = orderOf({ campaign: { utm_source: "FB", src: "" } });
  expect(whole).toMatchObject({
    ...{ createdAt: "2026-01-01 11:55:00", approvedDate: "2026-01-01 12:00:00" },
    ...{ refundedAt: "2026-01-01 12:00:00", customer: { ip: "203.0.113.9" } },
    trackingParameters: { utm_source: "FB", src: null, sck: null },
  });
  expect(orderOf({ customer: { ...sample.customer, ip: null } }).customer).not.toHaveProperty("ip");
  expect(rendered("pix.generated")).toMatchObject({ approvedDate: null, refundedAt: null });
});
