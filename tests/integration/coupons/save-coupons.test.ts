import { expect, test } from "vitest";
import { type CouponFields, newCouponBody } from "#app/domain/coupon/coupon-form.server.ts";
import { couponVersion } from "#app/domain/coupon/coupon-json.server.ts";
import { deleteCoupon } from "#app/domain/coupon/delete-coupon.server.ts";
import { duplicateCoupon } from "#app/domain/coupon/duplicate-coupon.server.ts";
import { findCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import {
  createCoupon,
  MAX_COUPONS,
  setCouponActive,
  updateCoupon,
} from "#app/domain/coupon/save-coupon.server.ts";
import * as many from "#app/routes/api/coupons/coupons.ts";
import * as one from "#app/routes/api/coupons/one.ts";
import * as list from "#app/routes/seller/coupons/coupons.tsx";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCoupon, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call, refused } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

const fields = (more: object = {}): CouponFields =>
  newCouponBody.parse({ code: "NATAL", percent: 10, ...more });
const inUse = { kind: "conflict", field: "code" };

test("a code is used once per seller, in any spelling, also by two at once; a deleted one is free again", async () => {
  const seller = await makeSeller();
  const at = await Promise.allSettled([1, 2].map(() => createCoupon(seller.id, fields())));
  expect(at.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(createCoupon(seller.id, fields({ code: "natál" }))).rejects.toMatchObject(inUse);
  await createCoupon((await makeSeller()).id, fields());
  const other = await createCoupon(seller.id, fields({ code: "OUTRO" }));
  await expect(updateCoupon(seller.id, other, fields())).rejects.toMatchObject(inUse);
  const { id } = at.flatMap((one) => (one.status === "fulfilled" ? [{ id: one.value }] : []))[0]!;
  await deleteCoupon(seller.id, id);
  await updateCoupon(seller.id, other, fields());
  await expect(findCoupon(seller.id, id)).rejects.toMatchObject({ kind: "not-found" });
});

test("a shop has at most so many coupons, copies included; deleted ones do not count", async () => {
  const seller = await makeSeller();
  await sql`insert into coupons (seller_id, code, percent) select ${seller.id}, 'C-' || n, 10
    from generate_series(1, ${MAX_COUPONS - 1}::int) n`;
  const last = await createCoupon(seller.id, fields());
  const full = { kind: "conflict", message: expect.stringContaining("500 cupons") };
  await expect(createCoupon(seller.id, fields({ code: "MAIS" }))).rejects.toMatchObject(full);
  await expect(duplicateCoupon(seller.id, last)).rejects.toMatchObject(full);
  await deleteCoupon(seller.id, last);
  await createCoupon(seller.id, fields({ code: "MAIS" }));
});

test("a save of what was saved meanwhile is refused; a use makes no form stale", async () => {
  const seller = await makeSeller();
  const coupon = await makeCoupon(seller);
  const version = couponVersion(coupon);
  await sql`update coupons set uses = 3 where id = ${coupon.id}`;
  await updateCoupon(seller.id, coupon.id, fields(), version);
  await expect(updateCoupon(seller.id, coupon.id, fields(), version)).rejects.toMatchObject({
    code: "stale",
  });
  const now = await findCoupon(seller.id, coupon.id);
  expect(now).toMatchObject({ code: "NATAL", percent: 10, uses: 3 });
  await setCouponActive(seller.id, coupon.id, false);
  await expect(updateCoupon(seller.id, coupon.id, fields(), couponVersion(now))).rejects.toMatchObject({
    code: "stale",
  });
});

test("a copy is paused and unused, with a code of its own that fits", async () => {
  const seller = await makeSeller();
  const original = await makeCoupon(seller, { code: "A".repeat(32), uses: 4, maxUses: 9 });
  const first = await duplicateCoupon(seller.id, original.id);
  const second = await duplicateCoupon(seller.id, first.id);
  expect([first.code, second.code]).toEqual([`${"A".repeat(22)}-COPIA`, `${"A".repeat(22)}-COPIA-2`]);
  const copy = await findCoupon(seller.id, first.id);
  expect(copy).toMatchObject({ percent: 10, maxUses: 9, uses: 0, deactivatedAt: expect.any(Date) });
});

test("a form of Duplicar that is sent again makes one copy, and a page opened since makes another", async () => {
  const seller = await makeSeller();
  const { id } = await makeCoupon(seller, { code: "NATAL" });
  const headers = await signedIn(seller);
  const open = async () =>
    String((await (await call(list, "/coupons", { headers })).json()).coupons[0].openedAt);
  const press = async (at: string) => {
    const body = new URLSearchParams({ intent: "duplicate", id, at });
    return (await call(list, "/coupons", { method: "POST", headers, body })).status;
  };
  const first = await open();
  expect(await Promise.all([press(first), press(first), press(first)])).toEqual([302, 302, 302]);
  await press(await open());
  expect(await sql`select code from coupons where seller_id = ${seller.id} order by code`).toEqual([
    { code: "NATAL" },
    { code: "NATAL-COPIA" },
    { code: "NATAL-COPIA-2" },
  ]);
});

test("products of others are not found, and neither is anything of another seller", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const foreign = await makeProduct(other);
  const coupon = await makeCoupon(seller);
  const missing = { kind: "not-found" };
  const withForeign = fields({ product_ids: [foreign.id] });
  await expect(createCoupon(seller.id, withForeign)).rejects.toMatchObject(missing);
  await expect(updateCoupon(seller.id, coupon.id, withForeign)).rejects.toMatchObject(missing);
  await expect(updateCoupon(other.id, coupon.id, fields())).rejects.toMatchObject(missing);
  await expect(setCouponActive(other.id, coupon.id, false)).rejects.toMatchObject(missing);
  await expect(duplicateCoupon(other.id, coupon.id)).rejects.toMatchObject(missing);
  await expect(deleteCoupon(other.id, coupon.id)).rejects.toMatchObject(missing);
  await expect(findCoupon(other.id, coupon.id)).rejects.toMatchObject(missing);
  await expect(findCoupon(seller.id, "x")).rejects.toMatchObject(missing);
  expect(await findCoupon(seller.id, coupon.id)).toEqual(coupon);
});

test("a coupon is saved although one of its products was deleted meanwhile", async () => {
  const seller = await makeSeller();
  const [kept, gone] = [await makeProduct(seller), await makeProduct(seller)];
  const coupon = await makeCoupon(seller, { productIds: [kept.id, gone.id] });
  await sql`delete from products where id = ${gone.id}`;
  await updateCoupon(seller.id, coupon.id, fields({ product_ids: [kept.id, gone.id], percent: 30 }));
  expect((await findCoupon(seller.id, coupon.id)).productIds).toEqual([kept.id, gone.id]);
});

test("a deleted coupon stays with its sales", async () => {
  const seller = await makeSeller();
  const coupon = await makeCoupon(seller);
  const sale = await makeSale(await makeProduct(seller), { couponId: coupon.id, couponCode: coupon.code });
  await deleteCoupon(seller.id, coupon.id);
  expect(await sql`select coupon_code from sales where id = ${sale.id}`).toEqual([
    { coupon_code: "MENOS10" },
  ]);
});

test("the API answers what was sent, and states and uses as they are", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const product = await makeProduct(seller);
  const sent = {
    code: "Verão-26",
    percent: 15,
    includes_bumps: true,
    product_ids: [product.id],
    starts_at: "2026-01-01T00:00:00-03:00",
    ends_at: "2099-01-01T00:00:00Z",
    max_uses: 2,
    max_uses_per_buyer: 1,
    minimum: "50,00",
    first_purchase_only: true,
  };
  const made = await call(many, "/api/coupons", { method: "POST", headers, body: sent });
  const created = await made.json();
  expect([made.status, created]).toEqual([
    201,
    {
      ...sent,
      id: expect.any(String),
      code: "VERAO-26",
      amount: null,
      offer_ids: null,
      starts_at: "2026-01-01T03:00:00.000Z",
      ends_at: "2099-01-01T00:00:00.000Z",
      minimum: 50,
      is_active: true,
      created_at: expect.any(String),
      state: "active",
      uses: 0,
      version: expect.any(String),
    },
  ]);
  const at = { headers, params: { couponId: created.id } };
  expect(await (await call(one, "/api/coupons/x", at)).json()).toEqual(created);
  await sql`update coupons set uses = 2 where id = ${created.id}`;
  const [listed] = await (await call(many, "/api/coupons", { headers })).json();
  expect(listed).toEqual({ ...created, state: "used_up", uses: 2 });
  const put = { ...at, method: "PUT", body: { code: "FIM", amount: 10, is_active: false } };
  expect(await (await call(one, "/api/coupons/x", put)).json()).toMatchObject({
    code: "FIM",
    percent: null,
    amount: 10,
    product_ids: null,
    max_uses: null,
    state: "paused",
    uses: 2,
  });
  await makeCoupon(seller);
  const taken = await call(one, "/api/coupons/x", { ...put, body: { code: "menos10", percent: 5 } });
  expect([taken.status, await taken.json()]).toEqual([
    409,
    refused("Você já tem um cupom com este código. Escolha outro.", { field: "code" }),
  ]);
});

test("a page of the list takes two statements beside the session's, whatever is on it", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const products = await Promise.all([1, 2, 3].map((n) => makeProduct(seller, { name: `Curso ${n}` })));
  const open = async () => countStatements(() => call(list, "/coupons", { headers }));
  await makeCoupon(seller, { productIds: [products[0]!.id] });
  const few = await open();
  for (let n = 0; n < 30; n++)
    await makeCoupon(seller, {
      code: `CUPOM-${n}`,
      createdAt: new Date(Date.now() + n * 1000),
      productIds: products.slice(0, n % 4).map(({ id }) => id),
    });
  const full = await open();
  expect(few.statements.filter((text) => /from "(coupons|products)"/.test(text))).toHaveLength(2);
  expect(full.count).toBe(few.count);
  const { coupons, older } = await full.result.json();
  expect([coupons.length, typeof older]).toEqual([24, "string"]);
  expect(coupons[0]).toMatchObject({ code: "CUPOM-29", products: "Curso 1", uses: "0, sem limite" });
  expect(coupons[0].link).toMatch(/\/checkout\/.*\?cupom=CUPOM-29$/);
  expect(coupons[1]).toMatchObject({ products: "Nenhum: os produtos dele foram apagados", link: null });
  expect(coupons[2]).toMatchObject({ products: "3 produtos", link: null });
});

const app = await startApp({ worker: 0 });

/** In every process: `coupon-pages`. */
test("a change shows on the cached checkout", async () => {
  const { seller, product } = await openShop();
  const path = `/checkout/${product.id}?cupom=NATAL`;
  const shows = async (text: string) =>
    until(async () => (await (await app.fetch(path)).text()).includes(text), {
      what: `the page to show: ${text}`,
    });
  const id = await createCoupon(seller.id, fields());
  await shows("Cupom NATAL aplicado");
  await setCouponActive(seller.id, id, false);
  await shows("O cupom NATAL não existe");
  await setCouponActive(seller.id, id, true);
  await shows("Cupom NATAL aplicado");
  await updateCoupon(seller.id, id, fields({ minimum: 1000 }));
  await shows("O cupom NATAL vale a partir de");
  await updateCoupon(seller.id, id, fields());
  await shows("Cupom NATAL aplicado");
  const copy = await duplicateCoupon(seller.id, id);
  await deleteCoupon(seller.id, id);
  await shows("O cupom NATAL não existe");
  await deleteCoupon(seller.id, copy.id);
  // The last coupon is gone, and with it the field.
  await until(
    async () => !(await (await app.fetch(`/checkout/${product.id}`)).text()).includes("Tem um cupom?"),
    { what: "the field to disappear" },
  );
});
