import { expect, test } from "vitest";
import { mercadopagoRig } from "#tests/integration/providers/mercadopago-rig.ts";
import {
  dueStatement,
  passPauses,
  shopWithStatement,
} from "#tests/integration/reconciliation/statement-support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 2 });

test("workers read a statement that is due, also where one of them dies meanwhile", async () => {
  await app.sandbox.webhooks({ drop: true });
  const shop = await shopWithStatement(mercadopagoRig(app.sandbox), app.sandbox, 2);
  await dueStatement(shop.seller.id, shop.day);
  const poll = () => sql`select pg_notify('due', 'statements')`;
  await until(async () => {
    await poll();
    return (await shop.statement()).attempts > 0;
  });
  await app.worker[0]!.kill();
  await until(async () => {
    await passPauses();
    await poll();
    return (await shop.statement()).read_at !== null;
  });
  expect(await shop.lines()).toHaveLength(2);
  expect(await shop.read()).toMatchObject({ confirmed: 2, feeCents: 70, differences: 0 });
});
