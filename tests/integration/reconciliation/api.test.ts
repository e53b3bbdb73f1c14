import { expect, test } from "vitest";
import { readReconciliation } from "#app/domain/reconciliation/read-reconciliation.server.ts";
import * as api from "#app/routes/api/reports/reconciliation.ts";
import { loadReconciliation } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { answered, monthAt, paidSale, refunded } from "#tests/integration/reconciliation/support.ts";
import { signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const NOON = new Date("2026-10-10T15:00:00Z");

test("the API answers the same days and differences in reais, page by page", async () => {
  const { product, seller } = await openShop();
  const headers = await signedIn(seller);
  for (const hour of [13, 14, 15]) {
    const { charge } = await paidSale(product, new Date(`2026-10-10T${hour}:00:00Z`), {
      charge: { feeCents: 35 },
    });
    await answered(charge, "unknown");
  }
  const get = async (query: string) => {
    const answer = await call(api, `/api/reports/reconciliation?${query}`, { headers });
    return { body: await answer.json(), link: answer.headers.get("Link") };
  };
  const first = await get("month=2026-10&limit=2");
  expect(first.body).toMatchObject({
    days: [
      {
        date: "2026-10-10",
        received: 291,
        fees: 1.05,
        net: 289.95,
        confirmed: 0,
        to_check: 0,
        differences: 3,
        difference: 291,
      },
    ],
    differences: [{ kind: "unknown-there", status: "open", amount: 97, at: "2026-10-10T15:00:00.000Z" }, {}],
  });
  const rest = await get(/\?(.*)>/.exec(first.link!)![1]!);
  expect(rest.body.differences).toMatchObject([{ at: "2026-10-10T13:00:00.000Z" }]);
  expect(rest.link).toBeNull();
  expect((await get("month=2026-10&day=2026-10-11")).body).toMatchObject({ days: [{}], differences: [] });
});

test("what is no month or no day of it is refused by the API, and shown as the current month by the page", async () => {
  const { seller } = await openShop();
  const headers = await signedIn(seller);
  for (const query of [
    "month=2026-13",
    "month=2999-01",
    "month=1999-01",
    "month=2026-10&day=2026-11-01",
    "day=2026-02-30",
    "day=x",
  ]) {
    const answer = await call(api, `/api/reports/reconciliation?${query}`, { headers });
    expect([query, answer.status]).toEqual([query, 400]);
  }
  const load = (query: string) => loadReconciliation(seller.id, new URLSearchParams(query), NOON);
  expect(await load("month=2026-13")).toMatchObject({
    month: "2026-10",
    unknownMonth: "2026-13",
    newerMonth: null,
    isEmpty: true,
  });
  expect(await load("day=2026-02-28&before=")).toMatchObject({
    ...{ month: "2026-02", day: { label: "28/02/2026" }, label: "fevereiro de 2026" },
    ...{ newerMonth: { name: "2026-03" }, olderMonth: { name: "2026-01" } },
  });
  await expect(load("before=x")).rejects.toMatchObject({ kind: "invalid", field: "before" });
});

test("the differences are paged by payment, all kinds of one together, and a day has its own", async () => {
  const { product, seller } = await openShop();
  for (let day = 1; day <= 5; day++) {
    const { charge } = await paidSale(product, new Date(`2026-10-0${day}T15:00:00Z`));
    await answered(charge, "unknown");
    await refunded(charge, { status: "done", origin: "observed", cents: 100 });
  }
  const month = { name: "2026-10", first: "2026-10-01", last: "2026-10-31" };
  const seen: string[] = [];
  let before = null;
  do {
    const page: Awaited<ReturnType<typeof readReconciliation>> = await readReconciliation(
      seller.id,
      { month, day: null },
      { limit: 2, before },
    );
    expect(page.days).toHaveLength(5);
    seen.push(...page.differences.map(({ day, kind }) => `${day} ${kind}`));
    before = page.older;
  } while (before && seen.length < 100);
  const days = [5, 4, 3, 2, 1].map((day) => `2026-10-0${day}`);
  expect(seen).toEqual(days.flatMap((day) => [`${day} refund-observed`, `${day} unknown-there`]));
  expect((await monthAt(seller.id, NOON, "2026-10-03")).differences.map(({ day }) => day)).toEqual([
    "2026-10-03",
    "2026-10-03",
  ]);
});
