import { expect } from "vitest";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { checkClaimedCharge, claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { deliveryQueue } from "#app/jobs/delivery-queue.server.ts";
import { mailQueue } from "#app/jobs/mail-queue.server.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop, stateOf } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

/** The database cost of one purchase with all that it causes: statements, pages, and the statements that read most. */
type Cost = { statements: number; pages: number; dearest: string[] };

/**
 * How many rows a shop gets, with all that is stored of a completed sale. The sales are of the product that is bought, or
 * `spread` evenly over the others. `waiting` are mails scheduled for another day.
 */
type Growth = { sales: number; products?: number; waiting?: number; spread?: boolean };

/** Tables in which rows wait for a worker, or for a buyer. */
const WITH_WAITING = ["sales", "charges", "refunds", "mails", "deliveries", "reminders", "payment_webhooks"];

/** A growing shop, and the cost of a purchase there. */
export async function openGrowingShop() {
  const app = await startApp({ web: 0, worker: 0 });
  const shop = await openShop();
  const [gateway] = await sql`select hook_token from gateway_accounts where seller_id = ${shop.seller.id}`;
  await sql`create extension if not exists pg_stat_statements`;
  // Statistics are set by the test.
  for (const table of WITH_WAITING) await sql`alter table ${sql(table)} set (autovacuum_enabled = false)`;
  // Mails leave as fast as they may.
  await app.sandbox.post("/resend", { requestsPerSecond: 1000 });
  // The test delivers them itself: a web process of an earlier file would count.
  await app.sandbox.webhooks({ drop: true });
  const notified = await makeWebhook(shop.seller, { name: "told" });
  let buyers = 0;

  async function buy(): Promise<void> {
    const placed = await placeOrder(orderOf(shop, `buyer${++buyers}@exemplo.com.br`));
    const [charge] = await sql`select provider_id from charges where id = ${placed.chargeId}`;
    await app.sandbox.pay(charge!.provider_id);
    await receiveWebhook({
      provider: "pushinpay",
      hookToken: gateway!.hook_token,
      query: () => null,
      body: `id=${charge!.provider_id}&status=paid`,
      header: () => null,
    });
    // Work after an order may still lock its charge: then a claim skips it, or claims only the late check of the
    // previous purchase.
    await until(async () => {
      const claimed = await claimChecks(10);
      for (const check of claimed) await checkClaimedCharge(check);
      return claimed.some(({ chargeId }) => chargeId === placed.chargeId);
    });
    await Promise.all((await mailQueue.claim(10)).map((mail) => mailQueue.handle(mail)));
    // A sale's next delivery is scheduled once the one before was sent.
    for (
      let claimed = await deliveryQueue.claim(10);
      claimed.length > 0;
      claimed = await deliveryQueue.claim(10)
    )
      for (const one of claimed) await deliveryQueue.handle(one);
    const history = await sql`select kind, data from charge_events where charge_id = ${placed.chargeId}`;
    expect(await stateOf(placed.saleId), JSON.stringify(history)).toMatchObject({
      status: "completed",
      completions: 1,
    });
  }

  /** The undisturbed cost of a purchase: the cheapest of ten. On a busy machine some checks come late and repeat. */
  async function costOf(): Promise<Cost> {
    for (let i = 0; i < 10; i++) await buy();
    const costs: Cost[] = [];
    for (let i = 0; i < 10; i++) {
      await sql`select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()))`;
      await buy();
      const notified = await sql`
        select sum(calls)::int as calls, sum(shared_blks_hit + shared_blks_read)::int as pages,
          left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as query
        from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
        group by query order by pages desc`;
      const sum = (what: "calls" | "pages") => notified.reduce((all, row) => all + row[what], 0);
      const dearest = notified.slice(0, 4).map(({ calls, pages, query }) => `${pages} by ${calls}: ${query}`);
      costs.push({ statements: sum("calls"), pages: sum("pages"), dearest });
    }
    return costs.toSorted((a, b) => a.statements - b.statements || a.pages - b.pages)[0]!;
  }

  async function fill({ sales, products = 0, waiting = 0, spread = false }: Growth): Promise<void> {
    const name = `${crypto.randomUUID()}-`;
    await sql.begin(async (tx) => {
      // The rows are consistent; what depends on writing them does not matter here.
      await tx`set local session_replication_role = replica`;
      await tx`insert into products (seller_id, name, price_cents)
        select ${shop.seller.id}, 'Produto ' || n, 9700 from generate_series(1, ${products}::int) n`;
      await tx`insert into sales (seller_id, product_id, status, amount_cents, customer_name, customer_email, order_key,
          submission_key, client_key, created_at, completed_at)
        select ${shop.seller.id}, case when ${spread} then others[1 + n % cardinality(others)] else ${shop.product.id}::bigint end,
          'completed', 9700, 'Ana Lima', 'ana' || n || '@exemplo.com.br', ${name} || n, ${name} || n, ${name} || n, at, at
        from generate_series(1, ${sales}::int) n, lateral (select now() - n * interval '1 minute' as at) moment,
          (select array_agg(id) as others from products where seller_id = ${shop.seller.id} and id <> ${shop.product.id}) p`;
      await tx`insert into sale_lines (sale_id, seller_id, kind, product_id, name, price_cents)
        select id, seller_id, 'product', product_id, 'Produto', 9700 from sales where order_key like ${`${name}%`}`;
      await tx`insert into charges (sale_id, seller_id, provider, reference, provider_id, status, amount_cents, paid_cents, created_at, paid_at)
        select id, seller_id, 'pushinpay', id::text, gen_random_uuid(), 'paid', 9700, 9700, created_at, completed_at
        from sales where order_key like ${`${name}%`}`;
      await tx`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at, handled_at)
        select 'pushinpay', c.id, c.seller_id, c.reference, c.provider_id, 'paid', 'paid', c.paid_at, c.paid_at
        from charges c inner join sales s on s.id = c.sale_id where s.order_key like ${`${name}%`}`;
      await tx`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
        select c.id, c.seller_id, 9700, 'done', 'requested', c.paid_at, c.paid_at
        from charges c inner join sales s on s.id = c.sale_id where s.order_key like ${`${name}%`}`;
      await tx`insert into mails (seller_id, sale_id, kind, recipient, idempotency_key, status, created_at, sent_at)
        select seller_id, id, 'purchase', customer_email, 'purchase/' || id, 'sent', created_at, created_at
        from sales where order_key like ${`${name}%`}`;
      await tx`insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, status, created_at, cleared_at)
        select ${notified}, seller_id, id, id, id, 'sale.paid', 'sent', created_at, created_at
        from sales where order_key like ${`${name}%`}`;
      await tx`with mailed as (
          insert into mails (seller_id, kind, recipient, idempotency_key)
          select ${shop.seller.id}, 'purchase', 'ana' || n || '@exemplo.com.br', ${name} || n
          from generate_series(1, ${waiting}::int) n returning id, seller_id)
        insert into queued_mails (id, seller_id, body_sealed, scheduled_at)
        select id, seller_id, 'x', now() + interval '1 day' from mailed`;
    });
    await sql.unsafe("vacuum analyze");
  }

  /** The backlog after a quiet night, which PostgreSQL's statistics do not know yet. */
  async function rush(waiting: number): Promise<void> {
    const later = sql`now() + interval '1 day'`;
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into sales (seller_id, product_id, status, amount_cents, customer_name, customer_email, order_key,
          submission_key, client_key)
        select ${shop.seller.id}, ${shop.product.id}, 'pending', 9700, 'Ana Lima', 'rush' || n || '@exemplo.com.br',
          'rush-' || n, 'rush-' || n, 'rush-' || n
        from generate_series(1, ${waiting}::int) n`;
      await tx`insert into charges (sale_id, seller_id, provider, reference, status, amount_cents, next_check_at)
        select id, seller_id, 'pushinpay', id::text, 'creating', 9700, ${later} from sales where order_key like 'rush-%'`;
      await tx`insert into refunds (charge_id, seller_id, amount_cents, status, origin)
        select id, seller_id, 9700, 'pending', 'requested' from charges where status = 'creating'`;
      await tx`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
        select 'pushinpay', id, seller_id, id::text, id::text, 'paid', 'paid' from charges where status = 'creating'`;
      await tx`insert into reminders (sale_id, seller_id, number, since, scheduled_at)
        select id, seller_id, 1, now(), ${later} from sales where order_key like 'rush-%'`;
      await tx`with mailed as (
          insert into mails (seller_id, kind, recipient, idempotency_key)
          select seller_id, 'purchase', customer_email, order_key from sales where order_key like 'rush-%' returning id, seller_id)
        insert into queued_mails (id, seller_id, body_sealed, scheduled_at) select id, seller_id, 'x', ${later} from mailed`;
      await tx`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, scheduled_at)
        select ${notified}, seller_id, id, id, 'sale.paid', ${later} from sales where order_key like 'rush-%'`;
    });
  }

  return { fill, costOf, rush };
}

/** Sales, products and waiting mails of a grown shop; `ofOne` and `ofOneAlone`: sales of the product that is bought. */
type Shapes = { spread: number; products: number; waiting: number; ofOne: number; ofOneAlone: number };

/**
 * Compares the cost of a purchase in a shop of 1,000 sales with that in three shapes of a grown one: every product sells
 * little, one of many sells a lot, one sells nearly all.
 */
export async function compareGrowth({ spread, products, waiting, ofOne, ofOneAlone }: Shapes): Promise<void> {
  const { fill, costOf } = await openGrowingShop();
  await fill({ sales: 1_000, products: 10, waiting: 10 });
  const few = await costOf();
  const shapes: Record<string, Growth> = {
    spread: { sales: spread, products, waiting, spread: true },
    "one of many": { sales: ofOne },
    "nearly all of one": { sales: ofOneAlone - ofOne },
  };
  for (const [shape, growth] of Object.entries(shapes)) {
    await fill(growth);
    const many = await costOf();
    const report = `${shape}: ${JSON.stringify({ few, many }, null, 1)}`;
    console.info(shape, many.statements / few.statements, many.pages / few.pages);
    expect(many.statements, report).toBe(few.statements);
    expect(many.pages / few.pages, report).toBeLessThan(1.25);
  }
}
