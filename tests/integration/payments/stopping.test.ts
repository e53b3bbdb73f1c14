import { expect, test } from "vitest";
import { fetchChargeState } from "#app/domain/settlement/fetch-charge-state.server.ts";
import { buy, openShop, order, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";

const app = await startApp({ web: 0, worker: 1 });

test("a worker stopped in the middle of a settlement finishes it first", async () => {
  const shop = await openShop();
  await app.sandbox.webhooks({ drop: true });
  const { saleId, chargeId, providerId } = await buy(shop.product.id, order(shop.product.id));
  await app.sandbox.pay(providerId);
  const lock = await holdLock((tx) => tx`lock table sale_events in exclusive mode`);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  await untilLockedOut();
  const stopped = app.worker[0]!.stop();
  await new Promise((later) => setTimeout(later, 1000));
  await lock.release();
  await stopped;
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  expect(await fetchChargeState(chargeId)).toEqual({ kind: "nothing" });
});
