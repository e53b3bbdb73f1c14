import { expect, test } from "vitest";
import type { OpenDestination, SendingKind } from "#app/domain/delivery/destination.ts";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { clientId, sessionId } from "#app/domain/delivery/ga4/ga4.server.ts";
import { plainName, plainPhone, userData } from "#app/domain/delivery/meta/user-data.server.ts";
import { hashed, plainEmail, sha256 } from "#app/domain/delivery/pixel/hash.server.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { buildAdIds, readStoredClicks } from "#app/domain/order/ad-ids.server.ts";
import { readCampaign } from "#app/domain/order/order-form.server.ts";
import type { PixelKind } from "#tests/support/rows/destinations.ts";

const SALE = "0b0b0b0b-1111-4222-8333-444455556666";
const AT = new Date("2026-01-01T00:00:00Z");

function notification(
  event: SaleNotification["event"],
  more: Partial<SaleNotification> = {},
): SaleNotification {
  const sample = sampleNotification(event, { subjectId: SALE, sellerId: "seller", createdAt: AT });
  return {
    ...sample,
    isTest: false,
    customer: {
      name: "João da Silva",
      email: "joao.silva@gmail.com",
      phone: "+5511987654321",
      document: "52998224725",
      ip: "203.0.113.9",
      key: "chave",
    },
    campaign: { fbclid: "IwAR0abc123", ttclid: "E.C.P.abc", click_id: "kwai-1" },
    ads: {
      agent: "Mozilla/5.0",
      fbp: "fb.1.1767225600000.1073741823",
      fbc: "fb.1.1767225600000.IwAR0abc123",
    },
    ...more,
  };
}

function pixel(settings: object = {}): OpenDestination {
  return {
    id: "id",
    sellerId: "seller",
    name: "Pixel",
    settings: { pixelId: "G-AB12CD34EF", countsPixSince: null, testCode: "TEST123", ...settings },
    secret: null,
    previousSecret: null,
    token: "segredo",
  };
}

const ads = (kind: PixelKind): SendingKind => DESTINATIONS[kind];

function rendered(kind: PixelKind, about: SaleNotification, settings?: object) {
  const bodies = ads(kind).render(about, pixel(settings));
  return "skipReason" in bodies ? bodies.skipReason : JSON.parse(bodies[0]!);
}

test("Meta's hashes are those of its own library", () => {
  expect(userData(notification("sale.paid"))).toMatchObject({
    em: ["3a4dbb6a4c7f91428b57fb95a496f292c4f93e2d2ad714aa310eeb3fe9852208"],
    ph: ["029c7290f14c4516673508635f0519db95f7daf42057fd0e4ad1de84c5408a66"],
    fn: ["d147147c3dcbe0ac2756b42297dd7f013f8b2fa6178e209c3f74dc7d752243ef"],
    ln: [sha256("dasilva")],
    country: ["885036a0da3dff3c3e05bc79bf49382b12bc5098514ed57ce0875aba1aa2c40d"],
    client_ip_address: "203.0.113.9",
    fbp: "fb.1.1767225600000.1073741823",
    fbc: "fb.1.1767225600000.IwAR0abc123",
  });
});

test.each([
  ["  João ", "joão"],
  ["Anna-Maria D'Ávila", "annamariadávila"],
  ["ÇELIK.", "çelik"],
])("Meta's name %s is hashed as %s", (typed, plain) => {
  expect(plainName(typed)).toBe(plain);
});

test("a phone is digits with its country for Meta, and has its plus for TikTok", () => {
  expect(plainPhone("+5511987654321")).toBe("5511987654321");
  expect(hashed("+5511987654321")).toEqual([
    "38225ec3dccec4189659c110ddc4f3dc9c27539850cb6a9ddae31ae03a5cf441",
  ]);
  expect(plainEmail(" Joao.Silva@Gmail.com ")).toBe("joao.silva@gmail.com");
});

test("several units of an item are told as what one costs and how many there are, under its own name", () => {
  const sold = notification("sale.paid");
  const several = { ...sold.lines[0]!, name: "3 × Ingresso", quantity: 3, priceCents: 5970 };
  const about = { ...sold, lines: [several, { ...several, name: "Livro", quantity: 1, priceCents: 500 }] };
  expect(rendered("meta", about).data[0].custom_data).toMatchObject({
    contents: [
      { quantity: 3, item_price: 19.9 },
      { quantity: 1, item_price: 5 },
    ],
    num_items: 4,
  });
  expect(rendered("ga4", about).events[0].params.items).toMatchObject([
    { item_name: "Ingresso", quantity: 3, price: 19.9 },
    { item_name: "Livro", quantity: 1, price: 5 },
  ]);
  expect(rendered("tiktok", about).data[0].properties.contents).toMatchObject([
    { content_name: "Ingresso", quantity: 3, price: 19.9 },
    { content_name: "Livro", quantity: 1, price: 5 },
  ]);
});

test("GA4 is given at most a hundred characters of a name, and no half of one", () => {
  const sold = notification("sale.paid");
  const about = { ...sold, lines: [{ ...sold.lines[0]!, name: `A${"🎸".repeat(60)}` }] };
  expect(rendered("ga4", about).events[0].params.items[0].item_name).toBe(`A${"🎸".repeat(49)}`);
});

test("a paid sale is a purchase of what was paid, under one id for each service", () => {
  expect(rendered("meta", notification("sale.paid")).data[0]).toMatchObject({
    event_name: "Purchase",
    event_time: 1767225600,
    event_id: `purchase.${SALE}`,
    action_source: "website",
    custom_data: { currency: "BRL", value: 19.9, order_id: SALE, num_items: 1 },
  });
  expect(rendered("ga4", notification("sale.paid"))).toMatchObject({
    timestamp_micros: 1767225600000000,
    consent: { ad_user_data: "GRANTED" },
    events: [{ name: "purchase", params: { transaction_id: SALE, value: 19.9, currency: "BRL" } }],
  });
  expect(rendered("tiktok", notification("sale.paid"))).toMatchObject({
    event_source: "web",
    data: [{ event: "CompletePayment", event_id: `purchase.${SALE}`, properties: { value: 19.9 } }],
  });
  const kwai = rendered("kwai", notification("sale.paid"));
  expect(kwai).toMatchObject({
    event_name: "EVENT_PURCHASE",
    clickid: "kwai-1",
    is_attributed: 1,
    trackFlag: false,
  });
  expect(JSON.parse(kwai.properties)).toMatchObject({ value: 19.9, currency: "BRL" });
});

test("no service gets the document, nor a readable name, address or phone", () => {
  for (const kind of ["meta", "ga4", "tiktok", "kwai"] as const)
    expect(JSON.stringify(rendered(kind, notification("sale.paid")))).not.toMatch(
      /52998224725|Silva|joao|987654321/i,
    );
});

test("without consent Meta, TikTok and Kwai get nothing, and GA4 nothing about the buyer", () => {
  const refused = notification("sale.paid", { ads: null });
  for (const kind of ["meta", "tiktok", "kwai"] as const) expect(rendered(kind, refused)).toBe("no-consent");
  const body = rendered("ga4", refused);
  expect(body.consent).toEqual({ ad_user_data: "DENIED", ad_personalization: "DENIED" });
  expect(body.client_id).toMatch(/^\d+\.\d+$/);
  expect(JSON.stringify(body)).not.toMatch(/203\.0|Mozilla|IwAR/);
});

test("a consent that named other services is none: GA4 gets nothing about the buyer, the others nothing", () => {
  const ads = { agent: "Mozilla/5.0", ga: "GA1.1.12.34" };
  const named = (...kinds: string[]) => notification("sale.paid", { ads: { ...ads, kinds } });
  for (const kind of ["meta", "tiktok", "kwai"] as const) {
    expect(rendered(kind, named("ga4"))).toBe("no-consent");
    expect(rendered(kind, named("ga4", kind))).not.toBe("no-consent");
  }
  const denied = rendered("ga4", named("meta"));
  expect(denied.consent).toEqual({ ad_user_data: "DENIED", ad_personalization: "DENIED" });
  expect(denied.client_id).not.toBe("12.34");
  expect(rendered("ga4", named("ga4"))).toMatchObject({
    client_id: "12.34",
    consent: { ad_user_data: "GRANTED", ad_personalization: "GRANTED" },
  });
});

test("refunds are sent where the service supports them, and to Kwai nothing without a click", () => {
  expect(rendered("ga4", notification("sale.refunded")).events[0]).toMatchObject({
    name: "refund",
    params: { transaction_id: SALE },
  });
  const part = { refundCents: 1990, refundedCents: 1990 };
  const partRefund = notification("sale.partially_refunded", {
    sale: { ...notification("sale.refunded").sale, ...part },
  });
  expect(rendered("ga4", partRefund).events[0]).toMatchObject({
    name: "refund",
    params: { transaction_id: SALE, value: 19.9, items: [] },
  });
  expect(rendered("meta", notification("sale.refunded"))).toBe("nothing-to-say");
  expect(rendered("meta", partRefund)).toBe("nothing-to-say");
  expect(rendered("kwai", notification("sale.paid", { campaign: {} }))).toBe("no-click");
});

test("a PIX counts as a purchase only if the seller sets it, under the id of the payment", () => {
  expect(rendered("meta", notification("pix.generated")).data[0]).toMatchObject({
    event_name: "AddPaymentInfo",
  });
  const counts = { countsPixSince: "2025-12-01T00:00:00Z" };
  const [made, paid] = [notification("pix.generated"), notification("sale.paid")].map(
    (one) => rendered("meta", one, counts).data[0],
  );
  expect(made).toMatchObject({ event_name: "Purchase", event_id: paid.event_id });
  const late = notification("sale.paid", { at: new Date(AT.getTime() + 50 * 3_600_000) });
  expect(rendered("meta", late, counts)).toBe("said-before");
  const counted = { since: counts.countsPixSince, until: "2026-01-02T00:00:00Z" };
  expect(rendered("meta", late, { countsPixSince: null, earlierCounts: [counted] })).toBe("said-before");
  expect(rendered("meta", late, { countsPixSince: null }).data).toHaveLength(1);
});

test("GA4's ids are read out of its cookies, old and new", () => {
  expect(clientId("GA1.1.123456.1767225600")).toBe("123456.1767225600");
  expect(clientId("anything")).toBe(null);
  expect(sessionId("GS1.1.1767225600.3.1.1767225700.0.0.0")).toBe("1767225600");
  expect(sessionId("GS2.1.s1767225600$o3$g1$t1767225700$j60$l0$h0")).toBe("1767225600");
  const known = notification("sale.paid", {
    ads: { ga: "GA1.1.12.34", gaSessions: { AB12CD34EF: "GS2.1.s1767225600$o3" } },
  });
  expect(rendered("ga4", known)).toMatchObject({
    client_id: "12.34",
    events: [{ params: { session_id: "1767225600" } }],
  });
});

const META_ERROR = (code: number, more = {}) => JSON.stringify({ error: { message: "no", code, ...more } });

test.each([
  ["meta", 200, '{"events_received":1}', "taken", "taken"],
  ["meta", 200, '{"events_received":0}', "again", "unclear"],
  ["meta", 200, '{"id":"9c1f', "again", "unclear"],
  ["meta", 401, META_ERROR(190), "gone", "token"],
  ["meta", 400, META_ERROR(100, { error_subcode: 2804003 }), "refused", "rejected"],
  ["meta", 400, META_ERROR(80004), "again", "status"],
  ["meta", 400, META_ERROR(100, { is_transient: true }), "again", "status"],
  ["meta", 503, "", "again", "status"],
  ["tiktok", 200, '{"code":0,"message":"OK"}', "taken", "taken"],
  ["tiktok", 200, '{"code":40002,"message":"no"}', "refused", "rejected"],
  ["tiktok", 200, '{"code":40105,"message":"no"}', "gone", "token"],
  ["tiktok", 200, '{"code":40100,"message":"slow down"}', "again", "status"],
  ["tiktok", 200, '{"code":50000,"message":"oops"}', "again", "status"],
  ["tiktok", 200, "", "again", "unclear"],
  ["ga4", 204, "", "taken", "taken"],
  ["ga4", 200, '{"validationMessages":[]}', "taken", "taken"],
  ["ga4", 200, '{"validationMessages":[{"description":"no"}]}', "refused", "rejected"],
  ["ga4", 500, "", "again", "status"],
  ["kwai", 200, '{"result":1}', "taken", "taken"],
  ["kwai", 200, '{"result":100110002,"error_msg":"no"}', "refused", "rejected"],
  ["kwai", 200, "<html>", "again", "unclear"],
  ["kwai", 401, "", "gone", "token"],
] as const)("%s's %i %s is %s", (kind, status, body, result, why) => {
  expect(ads(kind).judge({ status, headers: new Headers(), body })).toMatchObject({ result, reason: why });
});

test("tokens go where each service wants them, and no log may hold them", () => {
  const message = { id: "id", body: '{"data":[]}', at: AT, isTest: false };
  const requests = (["meta", "ga4", "tiktok", "kwai"] as const).map((kind) =>
    ads(kind).buildRequest(message, pixel()),
  );
  for (const { secrets: keepOut } of requests) expect(keepOut).toEqual(["segredo"]);
  const [meta, ga4, tiktok, kwai] = requests;
  expect(JSON.parse(meta!.body)).toEqual({ data: [], access_token: "segredo" });
  expect(ga4!.url).toMatch(/\/mp\/collect\?measurement_id=G-AB12CD34EF&api_secret=segredo$/);
  expect(tiktok!.headers["Access-Token"]).toBe("segredo");
  expect(JSON.parse(kwai!.body).access_token).toBe("segredo");
  expect(ads("ga4").buildRequest({ ...message, isTest: true }, pixel()).url).toContain("/debug/mp/collect");
});

const visit = (cookies: Record<string, string>, more = {}) => ({
  hasConsent: true,
  agent: "Mozilla/5.0",
  host: "pague.exemplo.com.br",
  cookies: new Map(Object.entries(cookies)),
  ...more,
});

test("Meta's cookies are made where they are missing, from the click as it came and when it was first seen", () => {
  const made = buildAdIds(
    visit({ cliques: "1767225600000.fbclid=IwAR0abc123" }),
    { fbclid: "IwAR0abc123" },
    AT,
  );
  expect(made.fbc).toBe("fb.3.1767225600000.IwAR0abc123");
  expect(made.fbp).toMatch(/^fb\.3\.1767225600000\.\d{1,10}$/);
  expect(buildAdIds(visit({}), {}, AT)).not.toHaveProperty("fbc");
});

test("Meta's existing cookies stay, of four parts or five; another click replaces the cookie's", () => {
  const fbc = "fb.2.1767225500000.IwAR0abc123.Bg";
  const stored = { _fbp: "fb.2.1767225500000.1073741823.AQYBAQIA", _fbc: fbc };
  expect(buildAdIds(visit(stored), { fbclid: "IwAR0abc123" }, AT)).toMatchObject({ fbp: stored._fbp, fbc });
  expect(buildAdIds(visit(stored), {}, AT).fbc).toBe(fbc);
  expect(buildAdIds(visit(stored), { fbclid: "Outro" }, AT).fbc).toBe("fb.3.1767225600000.Outro");
});

test("cookies that are none of theirs are left out", () => {
  const odd = {
    _fbp: "fb.x",
    _fbc: "<script>",
    _ga: "GA1.x",
    _ttp: "a b",
    _ga_AB: "GS2.1.s12$o3",
    _ga_CD: "?",
  };
  const ids = buildAdIds(visit(odd), {}, AT);
  expect(ids.fbp).toMatch(/^fb\.3\./);
  expect(ids).toEqual({ agent: "Mozilla/5.0", fbp: ids.fbp, gaSessions: { AB: "GS2.1.s12$o3" } });
});

test("a click's id is stored unchanged, whole or not at all", () => {
  const id = `IwAR0_aB-${"x".repeat(480)}`;
  expect(
    readCampaign([
      ["fbclid", id],
      ["gclid", "y".repeat(501)],
      ["kclid", "k"],
    ]),
  ).toEqual({ fbclid: id, kclid: "k" });
});

test("stored clicks are only clicks", () => {
  const cookies = { cliques: "1767225600000.gclid=abc&utm_source=x&__proto__=1&ttclid=E.C%2BP" };
  expect(readStoredClicks(visit(cookies))).toEqual([
    ["gclid", "abc"],
    ["ttclid", "E.C+P"],
  ]);
  expect(readStoredClicks(visit({ cliques: "what" }))).toEqual([]);
});
