import { expect, test } from "vitest";
import { mercadopagoRig } from "#tests/integration/providers/mercadopago-rig.ts";
import {
  dueStatement,
  passPauses,
  shopWithStatement,
} from "#tests/integration/reconciliation/statement-support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { EVERY_WAY, longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: EVERY_WAY ? 2 : 1 });

test("a worker reads a statement that is due", async () => {
  await readsWhenDue(async () => {});
});

// `statements.test.ts` holds what the lease of one that died is for.
longTest("another worker reads it where one dies meanwhile", async () => {
  await readsWhenDue(async (hasBegun) => {
    await until(hasBegun);
    await app.worker[0]!.kill();
  });
});

async function readsWhenDue(meanwhile: (hasBegun: () => Promise<boolean>) => Promise<void>) {
  await app.sandbox.webhooks({ drop: true });
  const shop = await shopWithStatement(mercadopagoRig(app.sandbox), app.sandbox, 2);
  await dueStatement(shop.seller.id, shop.day);
  const poll = () => sql`select pg_notify('due', 'statements')`;
  await meanwhile(async () => {
    await poll();
    return (await shop.statement()).attempts > 0;
  });
  await until(async () => {
    await passPauses();
    await poll();
    return (await shop.statement()).read_at !== null;
  });
  expect(await shop.lines()).toHaveLength(2);
  expect(await shop.read()).toMatchObject({ confirmed: 2, feeCents: 70, differences: 0 });
}
