import { expect } from "vitest";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { checkCharge, claimChecks } from "#app/domain/settlement/check-charge.server.ts";
import { takeWebhook } from "#app/domain/settlement/take-webhook.server.ts";
import { mails } from "#app/jobs/send-mail.server.ts";
import { openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { orderOf } from "#tests/support/order-of.ts";
import { until } from "#tests/support/until.ts";

/** What one purchase takes of the database, with all that it causes: statements, and pages it looked at. */
type Cost = { statements: number; pages: number };

/** How many rows a shop gets. `waiting` are mails that are due another day. */
type Growth = { sales: number; products: number; waiting: number };

/** A shop that grows, and what a purchase costs there. */
export async function openGrowingShop() {
  const app = await startApp({ web: 0, worker: 0 });
  const shop = await openShop();
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${shop.seller.id}`;
  await sql`create extension if not exists pg_stat_statements`;
  // Mails leave as fast as they may.
  await app.sandbox.post("/resend", { requestsPerSecond: 1000 });
  let buyers = 0;
  let fills = 0;

  async function buy(): Promise<void> {
    const placed = await placeOrder(orderOf(shop, `buyer${++buyers}@exemplo.com.br`));
    const [charge] = await sql`select provider_id from charges where id = ${placed.chargeId}`;
    await app.sandbox.pay(charge!.provider_id);
    await takeWebhook({
      provider: "pushinpay",
      hookToken: gateway!.hook_token,
      reference: null,
      body: `id=${charge!.provider_id}&status=paid`,
      header: () => null,
    });
    // What follows an order may still hold its charge: then a claim passes it by, or takes only the look that came late for
    // the purchase before.
    await until(async () => {
      const due = await claimChecks(10);
      for (const check of due) await checkCharge(check);
      return due.some(({ chargeId }) => chargeId === placed.chargeId);
    });
    await Promise.all((await mails.claim(10)).map((mail) => mails.handle(mail)));
    const history = await sql`select kind, data from charge_events where charge_id = ${placed.chargeId}`;
    expect(await stateOf(placed.saleId), JSON.stringify(history)).toMatchObject({
      status: "completed",
      completions: 1,
    });
  }

  async function costOf(): Promise<Cost> {
    const several = 10;
    for (let i = 0; i < several; i++) await buy();
    await sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`;
    for (let i = 0; i < several; i++) await buy();
    const [row] = await sql`
      select sum(calls)::int as calls, sum(shared_blks_hit + shared_blks_read)::int as pages from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())`;
    return { statements: row!.calls / several, pages: row!.pages / several };
  }

  async function fill({ sales, products, waiting }: Growth): Promise<void> {
    const name = `${++fills}-`;
    await sql.begin(async (tx) => {
      // The rows fit together; what else hangs on writing them is of no matter here.
      await tx`set local session_replication_role = replica`;
      await tx`insert into products (seller_id, name, price_cents)
        select ${shop.seller.id}, 'Produto ' || n, 9700 from generate_series(1, ${products}::int) n`;
      await tx`insert into sales (seller_id, product_id, status, amount_cents, customer_name, customer_email, order_key,
          press_key, client_key, created_at, completed_at)
        select ${shop.seller.id}, ${shop.product.id}, 'completed', 9700, 'Ana Lima', 'ana' || n || '@exemplo.com.br',
          ${name} || n, ${name} || n, ${name} || n, at, at
        from generate_series(1, ${sales}::int) n, lateral (select now() - n * interval '1 minute' as at) moment`;
      await tx`insert into sale_lines (sale_id, kind, product_id, name, price_cents)
        select id, 'product', product_id, 'Produto', 9700 from sales where order_key like ${`${name}%`}`;
      await tx`insert into charges (sale_id, provider, reference, provider_id, status, amount_cents, paid_cents, created_at, paid_at)
        select id, 'pushinpay', id::text, gen_random_uuid(), 'paid', 9700, 9700, created_at, completed_at
        from sales where order_key like ${`${name}%`}`;
      await tx`insert into mails (seller_id, kind, recipient, payload, idempotency_key, due_at)
        select ${shop.seller.id}, 'purchase', 'ana' || n || '@exemplo.com.br', '{}', ${name} || n, now() + interval '1 day'
        from generate_series(1, ${waiting}::int) n`;
    });
    await sql.unsafe("vacuum analyze");
  }

  return { fill, costOf };
}
