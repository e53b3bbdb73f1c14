import { expect } from "vitest";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { checkCharge, claimChecks } from "#app/domain/settlement/check-charge.server.ts";
import { takeWebhook } from "#app/domain/settlement/take-webhook.server.ts";
import { mails } from "#app/jobs/send-mail.server.ts";
import { news } from "#app/jobs/tell-news.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

/** What one purchase takes of the database, with all that it causes: statements, pages, and the statements that look at most. */
type Cost = { statements: number; pages: number; dearest: string[] };

/** How many rows a shop gets, with all that is kept of a sale that is over. `waiting` are mails that are due another day. */
type Growth = { sales: number; products: number; waiting: number };

/** Tables in which rows wait for a worker, or for a buyer. */
const WITH_WAITING = ["sales", "charges", "refunds", "mails", "outbox", "reminders", "payment_webhooks"];

/** A shop that grows, and what a purchase costs there. */
export async function openGrowingShop() {
  const app = await startApp({ web: 0, worker: 0 });
  const shop = await openShop();
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${shop.seller.id}`;
  await sql`create extension if not exists pg_stat_statements`;
  // Statistics are what a test says they are.
  for (const table of WITH_WAITING) await sql`alter table ${sql(table)} set (autovacuum_enabled = false)`;
  // Mails leave as fast as they may.
  await app.sandbox.post("/resend", { requestsPerSecond: 1000 });
  const told = await makeWebhook(shop.seller, { name: "told" });
  let buyers = 0;

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
    // The next of a sale is due once the one before was told.
    for (let due = await news.claim(10); due.length > 0; due = await news.claim(10))
      for (const one of due) await news.handle(one);
    const history = await sql`select kind, data from charge_events where charge_id = ${placed.chargeId}`;
    expect(await stateOf(placed.saleId), JSON.stringify(history)).toMatchObject({
      status: "completed",
      completions: 1,
    });
  }

  /** What a purchase takes that nothing comes between: the cheapest of ten. A busy machine has looks that come late, and asks again. */
  async function costOf(): Promise<Cost> {
    for (let i = 0; i < 10; i++) await buy();
    const costs: Cost[] = [];
    for (let i = 0; i < 10; i++) {
      await sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`;
      await buy();
      const told = await sql`
        select sum(calls)::int as calls, sum(shared_blks_hit + shared_blks_read)::int as pages,
          left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as query
        from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
        group by query order by pages desc`;
      const sum = (what: "calls" | "pages") => told.reduce((all, row) => all + row[what], 0);
      const dearest = told.slice(0, 4).map(({ calls, pages, query }) => `${pages} by ${calls}: ${query}`);
      costs.push({ statements: sum("calls"), pages: sum("pages"), dearest });
    }
    return costs.toSorted((a, b) => a.statements - b.statements || a.pages - b.pages)[0]!;
  }

  async function fill({ sales, products, waiting }: Growth): Promise<void> {
    const name = `${crypto.randomUUID()}-`;
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
      await tx`insert into sale_lines (sale_id, seller_id, kind, product_id, name, price_cents)
        select id, seller_id, 'product', product_id, 'Produto', 9700 from sales where order_key like ${`${name}%`}`;
      await tx`insert into charges (sale_id, seller_id, provider, reference, provider_id, status, amount_cents, paid_cents, created_at, paid_at)
        select id, seller_id, 'pushinpay', id::text, gen_random_uuid(), 'paid', 9700, 9700, created_at, completed_at
        from sales where order_key like ${`${name}%`}`;
      await tx`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, word, received_at, handled_at)
        select 'pushinpay', c.id, c.seller_id, c.reference, c.provider_id, 'paid', 'paid', c.paid_at, c.paid_at
        from charges c inner join sales s on s.id = c.sale_id where s.order_key like ${`${name}%`}`;
      await tx`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
        select c.id, c.seller_id, 9700, 'done', 'requested', c.paid_at, c.paid_at
        from charges c inner join sales s on s.id = c.sale_id where s.order_key like ${`${name}%`}`;
      await tx`insert into mails (seller_id, sale_id, kind, recipient, payload, idempotency_key, status, created_at, sent_at, cleared_at)
        select seller_id, id, 'purchase', customer_email, '{}', 'purchase/' || id, 'sent', created_at, created_at, created_at
        from sales where order_key like ${`${name}%`}`;
      await tx`insert into outbox (destination_id, seller_id, sale_id, subject_id, about_id, event, status, created_at, cleared_at)
        select ${told}, seller_id, id, id, id, 'sale.paid', 'sent', created_at, created_at
        from sales where order_key like ${`${name}%`}`;
      await tx`insert into mails (seller_id, kind, recipient, payload, idempotency_key, due_at)
        select ${shop.seller.id}, 'purchase', 'ana' || n || '@exemplo.com.br', '{}', ${name} || n, now() + interval '1 day'
        from generate_series(1, ${waiting}::int) n`;
    });
    await sql.unsafe("vacuum analyze");
  }

  /** So much waits after a quiet night, of which PostgreSQL's statistics know nothing yet. */
  async function rush(waiting: number): Promise<void> {
    const later = sql`now() + interval '1 day'`;
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into sales (seller_id, product_id, status, amount_cents, customer_name, customer_email, order_key,
          press_key, client_key)
        select ${shop.seller.id}, ${shop.product.id}, 'pending', 9700, 'Ana Lima', 'rush' || n || '@exemplo.com.br',
          'rush-' || n, 'rush-' || n, 'rush-' || n
        from generate_series(1, ${waiting}::int) n`;
      await tx`insert into charges (sale_id, seller_id, provider, reference, status, amount_cents, next_check_at)
        select id, seller_id, 'pushinpay', id::text, 'creating', 9700, ${later} from sales where order_key like 'rush-%'`;
      await tx`insert into refunds (charge_id, seller_id, amount_cents, status, origin)
        select id, seller_id, 9700, 'pending', 'requested' from charges where status = 'creating'`;
      await tx`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, word)
        select 'pushinpay', id, seller_id, id::text, id::text, 'paid', 'paid' from charges where status = 'creating'`;
      await tx`insert into reminders (sale_id, seller_id, number, since, due_at)
        select id, seller_id, 1, now(), ${later} from sales where order_key like 'rush-%'`;
      await tx`insert into mails (seller_id, kind, recipient, payload, idempotency_key, due_at)
        select seller_id, 'purchase', customer_email, '{}', order_key, ${later} from sales where order_key like 'rush-%'`;
      await tx`insert into outbox (destination_id, seller_id, subject_id, about_id, event, due_at)
        select ${told}, seller_id, id, id, 'sale.paid', ${later} from sales where order_key like 'rush-%'`;
    });
  }

  return { fill, costOf, rush };
}
