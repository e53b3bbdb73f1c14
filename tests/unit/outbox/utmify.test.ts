import { expect, test } from "vitest";
import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import type { OpenDestination } from "#app/domain/outbox/destination.ts";
import { sampleNews } from "#app/domain/outbox/sample-news.ts";
import { noteOf } from "#app/domain/outbox/utmify/note.server.ts";
import type { UtmifySettings } from "#app/domain/outbox/utmify/settings.ts";
import { utmify } from "#app/domain/outbox/utmify/utmify.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";

const AT = new Date("2026-01-01T12:00:00Z");

function connection(settings: Partial<UtmifySettings> = {}): OpenDestination {
  return {
    ...{ id: "d", sellerId: "s", name: "UTMify", secret: null, previousSecret: null, token: "segredo" },
    settings: { apiUrl: null, sourceId: "minha loja", former: [], ...settings },
  };
}

function drawn(event: (typeof NEWS_EVENTS)[number], settings?: Partial<UtmifySettings>) {
  const news = sampleNews(event, { subjectId: "s1", sellerId: "s", createdAt: AT });
  const bodies = utmify.draw({ ...news, isTest: false }, connection(settings));
  return "unsaid" in bodies ? bodies.unsaid : JSON.parse(bodies[0]!);
}

test("six events are states of an order, and of the others there is nothing to say", () => {
  expect(NEWS_EVENTS.map((event) => [event, drawn(event).status ?? drawn(event)])).toEqual([
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
  expect(drawn("sale.partially_refunded")).toMatchObject({
    status: "paid",
    refundedAt: null,
    commission: { totalPriceInCents: 1490, gatewayFeeInCents: 35, userCommissionInCents: 1455 },
  });
  expect(drawn("sale.refunded").commission).toMatchObject({ totalPriceInCents: 1990 });
});

test("the platform is called as the source was when it was ordered", () => {
  const until = (hours: number) => new Date(AT.getTime() + hours * HOUR).toISOString();
  const former = [
    { sourceId: "primeira", until: until(-1) },
    { sourceId: "segunda", until: until(1) },
    { sourceId: "terceira", until: until(2) },
  ];
  expect(drawn("sale.paid", { former }).platform).toBe("Segunda");
  expect(drawn("sale.paid").platform).toBe("MinhaLoja");
  expect(drawn("sale.paid", { sourceId: "-" }).platform).toBe("Checkintelli");
});

test.each([
  [200, "", { result: "taken", why: "taken" }],
  [201, "", { result: "taken", why: "taken" }],
  [302, "", { result: "refused", why: "redirect" }],
  [400, "", { result: "refused", why: "rejected" }],
  [401, "", { result: "refused", why: "token" }],
  [404, "", { result: "refused", why: "token" }],
  [422, "", { result: "refused", why: "rejected" }],
  [429, "60", { result: "again", why: "status", restMs: 60_000 }],
  [429, "999999", { result: "again", why: "status", restMs: HOUR }],
  [503, "", { result: "again", why: "status", restMs: 0 }],
])("HTTP %i, Retry-After %s", (status, after, verdict) => {
  const headers = new Headers(after ? { "retry-after": after } : {});
  expect(utmify.judge({ status, headers, body: "" })).toEqual(verdict);
});

test("the token is in the header alone, and kept out of every log", () => {
  const { headers, body, keepOut, url } = utmify.request(
    { id: "m", body: "{}", at: AT, isTest: false },
    connection(),
  );
  expect([headers["x-api-token"], body, keepOut]).toEqual(["segredo", "{}", ["segredo"]]);
  expect(url).toMatch(/\/api-credentials\/orders$/);
});

test("an order is told for 7 days, what goes back for 45, in thirteen tries", () => {
  expect(utmify.tellWithin("sale.paid")).toBe(7 * DAY);
  expect(utmify.tellWithin("sale.refunded")).toBe(45 * DAY);
  expect(utmify.tellWithin("sale.chargedback")).toBe(45 * DAY);
  expect(utmify.pauses).toHaveLength(12);
});

test.each([
  [{ status: "sent", why: "taken" }, null],
  [{ status: "queued", why: null, responseStatus: null }, null],
  [{ status: "queued", why: "status", responseStatus: 500 }, /com problemas\.$/],
  [{ status: "queued", why: "status", responseStatus: 429 }, /esperar\.$/],
  [{ status: "refused", why: "rejected", responseStatus: 400 }, /recusou os dados/],
  [{ status: "refused", why: "token", responseStatus: 404 }, /não reconheceu o token/],
  [{ status: "refused", why: "lost" }, /13 tentativas/],
  [{ status: "refused", why: "forbidden" }, /não pode ser chamado/],
  [{ status: "too_late", why: null }, /mais de 45 dias/],
  [{ status: "dropped", why: "outdated" }, /mais novo deste pedido tomou o lugar dele/],
  [{ status: "dropped", why: "stopped" }, /desligado/],
  [{ status: "dropped", why: "timeout" }, /15 segundos\. Um estado mais novo .* no lugar/],
  [{ status: "dropped", why: "restored" }, /cópia/],
])("%o in words", (outcome, words) => {
  const note = noteOf({ event: "sale.refunded", responseStatus: 0, ...outcome });
  if (words) expect(note).toMatch(words);
  else expect(note).toBeNull();
});
