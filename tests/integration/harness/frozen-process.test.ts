import { expect } from "vitest";
import { orderMutexKeys } from "#app/domain/order/order-fingerprint.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { order } from "#tests/support/clients/sold-through.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

longTest(
  "a web process frozen inside its transaction blocks only its own buyer in the other process, and not for long",
  async () => {
    const app = await startApp({ web: 2 });
    const [frozen, healthy] = app.web as [(typeof app.web)[0], (typeof app.web)[0]];
    const { product } = await openShop();
    await order(healthy.url, product.id, "antes@exemplo.com.br");
    const email = "preso@exemplo.com.br";

    // Both wait here, so that the first is stopped exactly while the lock becomes its own.
    const client = newAddress();
    const mutexKey = orderMutexKeys({ client })[0];
    const lock = await holdLock((tx) => tx`select pg_advisory_xact_lock(hashtextextended(${mutexKey}, 0))`);
    const first = order(frozen.url, product.id, email, client).catch((error: Error) => error.message);
    await untilLockedOut();
    process.kill(frozen.pid!, "SIGSTOP");
    await lock.release();
    const held = await until(async () => {
      const [pid, ...others] = await lockedIdle();
      return others.length === 0 ? pid : undefined;
    });

    // The buyer retries repeatedly.
    const again = Array.from({ length: 40 }, () =>
      order(healthy.url, product.id, email, client).catch((error: Error) => error.message),
    );
    await untilLockedOut();
    const heldWhenServed = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const saleId = await order(healthy.url, product.id, `outra${i}@exemplo.com.br`);
        const pages = await Promise.all(
          [`/checkout/pix/${saleId}`, `/checkout/${product.id}`, "/readyz"].map((path) =>
            statusOf(healthy.url + path),
          ),
        );
        expect(pages).toEqual([200, 200, 200]);
        return (await lockedIdle()).includes(held);
      }),
    );
    expect(heldWhenServed).toContain(true);

    // Postgres ends the frozen transaction; then its buyer is served here.
    const saleId = await until(() => order(healthy.url, product.id, email, client));
    for (const answer of await Promise.all(again))
      expect(answer === saleId || answer.startsWith("503 ")).toBe(true);

    process.kill(frozen.pid!, "SIGCONT");
    expect(await first).toMatch(/^503 /);
    await until(async () => (await fetch(`${frozen.url}/readyz`)).status === 200);
    expect(await order(frozen.url, product.id, email, client)).toBe(saleId);
    await app.close();
  },
);

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

/** The backends of idle transactions that hold an advisory lock. */
async function lockedIdle(): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select distinct a.pid from pg_stat_activity a join pg_locks l using (pid)
    where a.datname = current_database() and a.state = 'idle in transaction' and l.locktype = 'advisory' and l.granted`;
  return rows.map(({ pid }) => pid);
}
