import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { closeAccount, reopenAccount } from "#app/domain/erasure/close-account.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { emptyDatabase, run } from "#tests/integration/database/restore-into.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
} from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";

/** The database after it was lost and restored from a copy of now. */
async function restore() {
  const file = join(mkdtempSync(join(".cache", "restored-")), "copia.gz");
  expect(run("backup", file)).toMatchObject({ status: 0, stderr: "" });
  const url = await emptyDatabase();
  expect(run("restore", file, url)).toMatchObject({ status: 0, stderr: "" });
  return postgres(url, { max: 1, onnotice: () => {} });
}

longTest(
  "a product, bump or upsell created after a restore never gets the number of one that was lost",
  async () => {
    const product = await makeProduct(await makeSeller());
    // Also where the copy holds none.
    const bump = await makeBump(product);
    const restored = await restore();
    const lost = { product: await makeProduct(await makeSeller()), bump: await makeBump(product) };
    const upsell = await makeUpsell(product);
    const nextOf = async (table: string) =>
      Number((await restored.unsafe(`select nextval(pg_get_serial_sequence('${table}', 'id')) as n`))[0]!.n);
    expect(await nextOf("products")).toBeGreaterThan(lost.product.id + 5000);
    expect(await nextOf("order_bumps")).toBeGreaterThan(lost.bump.id + 5000);
    expect(await nextOf("upsells")).toBeGreaterThan(upsell.id + 5000);
    expect(bump.id).toBeLessThan(lost.bump.id);
    await restored.end();
  },
);

test("a restored shop asks at once about every code that may have been paid and every refund under way, and in turn about every payment", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product);
  const ago = (ms: number) => new Date(Date.now() - ms);
  const paid = { status: "paid", paidAt: ago(DAY), paidCents: 9700, createdAt: ago(DAY) } as const;
  const later = new Date(Date.now() + 5 * HOUR);
  const charges = {
    waiting: await makeCharge(sale, { nextCheckAt: later, createdAt: ago(DAY) }),
    "no longer asked about": await makeCharge(sale, { status: "expired", createdAt: ago(2 * DAY) }),
    "announced long ago": await makeCharge(sale, { nextCheckAt: later, createdAt: ago(9 * DAY) }),
    refunding: await makeCharge(sale, { ...paid, nextCheckAt: later }),
    old: await makeCharge(sale, { status: "expired", createdAt: ago(9 * DAY) }),
    failed: await makeCharge(sale, { status: "failed", providerId: null, createdAt: ago(DAY) }),
    paid: await makeCharge(sale, { ...paid, overpaidAt: ago(DAY) }),
  };
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin)
    values (${charges.refunding.id}, ${charges.refunding.sellerId}, 9700, 'pending', 'requested')`;
  await makeGateway(seller, { nextPacedCheckAt: later });
  const paidDaysAgo = async (days: number) => {
    const { id } = await makeCharge(await makeSale(product), { ...paid, paidAt: ago(days * DAY) });
    await sql`insert into paced_checks (charge_id, seller_id, provider, scheduled_at)
      values (${id}, ${seller.id}, 'pushinpay', ${later})`;
    return id;
  };
  const [old, newest, middle] = [await paidDaysAgo(60), await paidDaysAgo(1), await paidDaysAgo(9)];
  const restored = await restore();
  const due = await restored`select id from charges where next_check_at <= now()`;
  const names = Object.entries(charges).filter(([, { id }]) => due.some((row) => row.id === id));
  expect(names.map(([name]) => name)).toEqual([
    ...["waiting", "no longer asked about", "announced long ago", "refunding"],
  ]);
  // What was refunded or disputed after the copy is found before a part of it can be refunded again.
  const paced = await restored`select charge_id from paced_checks
    where seller_id = ${seller.id} and scheduled_at <= now() order by scheduled_at`;
  expect(paced.map((row) => row.charge_id)).toEqual([newest, middle, old]);
  const accounts = await restored`select from gateway_accounts
    where seller_id = ${seller.id} and next_paced_check_at <= now()`;
  expect(accounts).toHaveLength(1);
  await restored.end();
});

longTest(
  "buyers of a shop that was closed or reopened just before the copy are told after the restore",
  async () => {
    const [closed, reopened] = [await makeSeller(), await makeSeller()];
    for (const { id } of [closed, reopened]) await closeAccount({ id, sessionId: randomUUID() });
    await reopenAccount(reopened.id);
    const restored = await restore();
    const waiting = (task: string) => restored`
      select j.payload ->> 'sellerId' as seller from graphile_worker._private_jobs j
      inner join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${task} order by j.id`;
    expect(await waiting("mail-closing")).toMatchObject([{ seller: closed.id }, { seller: reopened.id }]);
    expect(await waiting("mail-reopening")).toMatchObject([{ seller: reopened.id }]);
    await restored.end();
  },
);
