import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { buyerAt, TYPED, type Way } from "#tests/integration/payments/buyer-at.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";

let app: App;
let shop: Awaited<ReturnType<typeof openShop>>;
let productId: number;

beforeAll(async () => {
  shop = await openShop();
  productId = shop.product.id;
  app = await startApp({ web: 2, worker: 0 });
});

const email = () => `bia-${randomUUID()}@exemplo.com.br`;
const buyer = (options: Parameters<typeof buyerAt>[1] = {}) => buyerAt(app.url, options);
const cashIns = async () => (await app.sandbox.calls()).pushinpay.cashIn;
async function pay(saleId: string): Promise<void> {
  const [charge] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
  await app.sandbox.webhooks({ drop: true });
  await app.sandbox.pay(charge!.provider_id);
  await checkCharge(charge!.id);
}
const age = (saleId: string, minutes: number) =>
  sql`update sales set created_at = created_at - make_interval(mins => ${minutes}) where id = ${saleId}`;

describe.each(["page", "api"] as Way[])("by the %s", (way) => {
  test("a stranger who knows all about a buyer gets a sale of their own, before the buyer and after", async () => {
    const [mallory, bia, eve] = [buyer(), buyer(), buyer({ agent: "curl/8" })];
    const fields = { way, customer_email: email() };
    const before = await mallory.order(productId, {
      ...fields,
      customer_name: "Mallory",
      campaign: "utm_source=mal",
    });
    const own = await bia.order(productId, fields);
    const after = await eve.order(productId, fields);
    const again = await mallory.order(productId, fields);
    expect(new Set([before.sale, own.sale, after.sale]).size).toBe(3);
    expect(again.sale).toBe(before.sale);
    const [row] = await sql`select customer_name, utm_source from sales where id = ${own.sale!}`;
    expect(row).toEqual({ customer_name: TYPED.customer_name, utm_source: null });
  });

  test("twenty strangers at once get twenty sales, and the buyer among them keeps their own", async () => {
    const fields = { way, customer_email: email() };
    const bia = buyer();
    const { sale } = await bia.order(productId, fields);
    const strangers = Array.from({ length: 20 }, () => buyer());
    const [again, ...others] = await Promise.all(
      [bia, ...strangers].map((one) => one.order(productId, fields)),
    );
    expect(again!.sale).toBe(sale);
    expect(new Set([sale, ...others.map((one) => one.sale)]).size).toBe(21);
    expect([again, ...others].map((one) => one!.status)).toEqual(Array(21).fill(way === "page" ? 303 : 200));
  });

  test("twenty submits at once without a cookie yet are one sale and one PIX in two processes", async () => {
    const fields = { way, customer_email: email() };
    const before = await cashIns();
    const address = "203.0.113.9";
    const presses = Array.from({ length: 20 }, (_, i) => buyerAt(app.web[i % 2]!.url, { address }));
    const all = await Promise.all(presses.map((one) => one.order(productId, fields)));
    expect(new Set(all.map((one) => one.sale)).size).toBe(1);
    expect(all[0]!.sale).toBeDefined();
    expect(await cashIns()).toBe(before + 1);
  });

  test("if the first answer was lost, the same submit is the same sale; with one field changed it is not", async () => {
    const here = { address: "203.0.113.20", agent: "Firefox" };
    const fields = { way, customer_email: email(), campaign: "utm_source=ig&src=a" };
    const { sale } = await buyer(here).order(productId, fields);
    expect((await buyer(here).order(productId, { ...fields, campaign: "src=a&utm_source=ig" })).sale).toBe(
      sale,
    );
    const others = [
      await buyer(here).order(productId, { ...fields, customer_name: "Bia C." }),
      await buyer(here).order(productId, { ...fields, customer_email: email() }),
      await buyer(here).order(productId, { ...fields, customer_phone: "(11) 98765-0000" }),
      await buyer(here).order(productId, { ...fields, customer_document: "111.444.777-35" }),
      await buyer(here).order(productId, { ...fields, campaign: "utm_source=ig&src=b" }),
      await buyer({ ...here, agent: "Chrome" }).order(productId, fields),
      await buyer({ ...here, address: "203.0.113.21" }).order(productId, fields),
    ];
    expect(new Set([sale, ...others.map((one) => one.sale)]).size).toBe(8);
    await age(sale!, 6);
    expect((await buyer(here).order(productId, fields)).sale).not.toBe(sale);
  });

  test("a submit handled after its sale was paid is that sale; a new order is a new one", async () => {
    const here = { address: newAddress(), agent: "Firefox" };
    const fields = { way, customer_email: email() };
    const bia = buyer(here);
    const first = await bia.order(productId, fields);
    await pay(first.sale!);
    const late = await buyer(here).order(productId, fields);
    expect(late.sale).toBe(first.sale);
    // In the browser that bought it: only an explicit repeat gets another sale.
    expect((await bia.order(productId, fields)).status).not.toBe(way === "page" ? 303 : 200);
    const then = bia.cookies();
    const more = await bia.order(productId, { ...fields, again: "1" });
    expect(more.sale).not.toBe(first.sale);
    await pay(more.sale!);
    const lateAgain = buyer({ ...here, Cookie: then.join("; ") });
    expect((await lateAgain.order(productId, { ...fields, again: "1" })).sale).toBe(more.sale);
    const third = await bia.order(productId, { ...fields, again: "1" });
    expect([first.sale, more.sale]).not.toContain(third.sale);
    expect(third.sale).toBeDefined();
    // Another buyer's sale stays another's.
    expect([first.sale, more.sale, third.sale]).not.toContain((await buyer().order(productId, fields)).sale);
  });

  test("Back and submit again is the same sale in the same browser, also from another network and with a corrected name", async () => {
    const fields = { way, customer_email: email() };
    const bia = buyer();
    const { sale } = await bia.order(productId, fields);
    await age(sale!, 60);
    const cookie = bia.cookies().find((pair) => pair.startsWith("compras-"))!;
    expect((await bia.order(productId, { ...fields, customer_name: "Bia Corrigida" })).sale).toBe(sale);
    const request = {
      method: "POST",
      body: new URLSearchParams({ ...TYPED, customer_email: fields.customer_email }),
    };
    const carried = await app.fetch(`/checkout/${productId}`, { ...request, headers: { Cookie: cookie } });
    expect(carried.headers.get("location")).toContain(sale);
    await age(sale!, 24 * 60);
    expect((await bia.order(productId, fields)).sale).not.toBe(sale);
  });

  test("another device of the same buyer gets a sale of its own", async () => {
    const fields = { way, customer_email: email() };
    const address = "203.0.113.30";
    const phone = await buyer({ address, agent: "Android" }).order(productId, fields);
    const dashboard = await buyer({ address, agent: "Windows" }).order(productId, fields);
    expect(dashboard.sale).toBeDefined();
    expect(dashboard.sale).not.toBe(phone.sale);
  });
});

test("an IPv6 line is one client, its neighbour another", async () => {
  const fields = { customer_email: email() };
  const from = async (address: string) => (await buyer({ address }).order(productId, fields)).sale;
  const sale = await from("2001:db8:1:1::1");
  expect(await from("2001:db8:1:1:ffff::2")).toBe(sale);
  expect(await from("2001:db8:1:2::1")).not.toBe(sale);
});

test("an order placed on the page is known to the API, and the other way round", async () => {
  for (const [first, second] of [
    ["page", "api"],
    ["api", "page"],
  ] as [Way, Way][]) {
    const fields = { customer_email: email() };
    const bia = buyer();
    const { sale } = await bia.order(productId, { ...fields, way: first });
    await age(sale!, 10);
    expect((await bia.order(productId, { ...fields, way: second })).sale).toBe(sale);
  }
});

test("a changed cookie, or one encrypted for something else, matches no sale", async () => {
  const fields = { customer_email: email() };
  const bia = buyer();
  const { sale } = await bia.order(productId, fields);
  const [typed] = bia.cookies().filter((pair) => pair.startsWith("pedido="));
  const [mine] = bia.cookies().filter((pair) => pair.startsWith("compras-"));
  const body = () => new URLSearchParams({ ...TYPED, ...fields });
  const name = mine!.slice(0, mine!.indexOf("="));
  const other = typed!.slice("pedido=".length);
  for (const cookie of [
    ...[`${name}=${other}`, `compras=${other}`, `${mine}x`, `${name}=%00`, `${name}=`],
    ...["compras=%00", "compras=", mine!.replace("compras-", "compras-x"), `\u00a0${mine}`],
  ]) {
    const answer = await app.fetch(`/checkout/${productId}`, {
      method: "POST",
      body: body(),
      headers: { Cookie: cookie },
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).not.toContain(sale);
  }
});

test("the cookie applies to the whole site, to no script, and reveals nothing about the buyer", async () => {
  const { answer, sale } = await buyer().order(productId, { customer_email: email() });
  const line = answer.headers.getSetCookie().find((one) => one.startsWith("compras-"))!;
  expect(line).toMatch(/; Max-Age=15552000; Path=\/; .*HttpOnly; SameSite=Lax/);
  expect(line.length).toBeLessThan(300);
  const value = Buffer.from(decodeURIComponent(line.split(/[=;]/)[1]!), "base64").toString();
  for (const secret of [sale!, "exemplo", "Bia"]) expect(value).not.toContain(secret);
});

test("a browser remembers its last ten sales", async () => {
  const bia = buyer();
  const first = await bia.order(productId, { customer_email: email() });
  const second = { customer_email: email() };
  const { sale } = await bia.order(productId, second);
  for (let i = 0; i < 9; i++) await bia.order(productId, { customer_email: email() });
  await age(sale!, 10);
  await age(first.sale!, 10);
  expect((await bia.order(productId, second)).sale).toBe(sale);
  expect(bia.cookies().filter((pair) => pair.startsWith("compras"))).toHaveLength(10);
});

test.each(["page", "api"] as Way[])(
  "orders sent at once from two tabs are both remembered, by the %s",
  async (way) => {
    const bia = buyer();
    const tabs = [email(), email(), email()].map((address) => ({ way, customer_email: address }));
    await bia.order(productId, { customer_email: email() });
    const placed = await Promise.all(tabs.map((fields) => bia.order(productId, fields)));
    for (const { sale } of placed) await age(sale!, 10);
    const again = [];
    for (const fields of tabs) again.push(await bia.order(productId, fields));
    expect(again.map(({ sale }) => sale)).toEqual(placed.map(({ sale }) => sale));
  },
);

test("the list of 1.0 is still known, together with newer sales, until ten are newer", async () => {
  const [old, own] = [email(), email()].map((address) => ({ customer_email: address }));
  const { sale: listed } = await buyer().order(productId, old);
  const list = Buffer.from(JSON.stringify(seal(`sales:${randomUUID()} ${listed}`))).toString("base64");
  const Cookie = `compras=${encodeURIComponent(list)}`;
  await age(listed!, 10);
  const bia = buyer({ Cookie });
  const { answer, sale } = await bia.order(productId, own);
  const both = buyer({ Cookie: [Cookie, ...bia.cookies()].join("; ") });
  await age(sale!, 10);
  expect(answer.headers.getSetCookie().some((line) => line.startsWith("compras="))).toBe(false);
  expect((await both.order(productId, old)).sale).toBe(listed);
  expect((await buyer({ Cookie }).order(productId, old)).sale).toBe(listed);
  const ids = Array.from({ length: 10 }, () => randomUUID());
  const lines = await Promise.all(ids.map((id) => rememberSale(new Request(app.url), id)));
  const full = [Cookie, ...lines.map(([line]) => line!.split(";")[0])].join("; ");
  const late = await rememberSale(new Request(app.url, { headers: { Cookie: full } }), randomUUID());
  expect(late.slice(1).toSorted()).toEqual([
    expect.stringMatching(/^compras-[0-9a-f]{8}=.*Max-Age=0/),
    expect.stringMatching(/^compras=.*Max-Age=0/),
  ]);
});

test("cookies that cannot be read any more do not stay beside those of new sales", async () => {
  const ids = [randomUUID(), randomUUID()];
  const [foreign, own] = await Promise.all(ids.map((id) => rememberSale(new Request(app.url), id)));
  const name = foreign![0]!.split("=")[0]!;
  const Cookie = [`${name}=x`, "compras=x", "compras-none=x", own![0]!.split(";")[0]].join("; ");
  const lines = await rememberSale(new Request(app.url, { headers: { Cookie } }), randomUUID());
  expect(lines.slice(1)).toEqual(
    [name, "compras"].map((one) => expect.stringMatching(new RegExp(`^${one}=;.*Max-Age=0`))),
  );
});

test.each<[Way, number]>([
  ["page", 303],
  ["api", 200],
])("by the %s a buyer whose PIX failed and who retries later leaves no orphan", async (way, accepted) => {
  const fields = { way, customer_email: email() };
  const bia = buyer();
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "http-500", times: 1 });
  const failed = await bia.order(productId, fields);
  expect(failed.status).toBe(503);
  await sql`update sales set created_at = created_at - interval '10 minutes' where customer_email = ${fields.customer_email}`;
  const { status } = await bia.order(productId, fields);
  expect(status).toBe(accepted);
  expect(await sql`select id from sales where customer_email = ${fields.customer_email}`).toHaveLength(1);
});

test("of more cookies than a browser keeps the last are read, which are the newest", async () => {
  const [own] = await rememberSale(new Request(app.url), randomUUID());
  const newest = own!.split(";")[0]!;
  const forged = Array.from({ length: 200 }, (_, i) => `compras-${String(i).padStart(8, "0")}=x`);
  const Cookie = [...forged, newest].join("; ");
  const lines = await rememberSale(new Request(app.url, { headers: { Cookie } }), randomUUID());
  // Its own, and those of the last twenty that cannot be read.
  expect(lines).toHaveLength(20);
  expect(lines.some((line) => line.startsWith(newest.split("=")[0]!))).toBe(false);
});
