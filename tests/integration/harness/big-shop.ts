import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { jobs, queues } from "#app/jobs/catalogue.server.ts";
import { crontab } from "#app/jobs/crontab.server.ts";
import { backlogReadings } from "#app/metrics/backlog-metrics.server.ts";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { type Attempt, isolation, makeThings, type Things } from "#tests/integration/isolation-table.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { pagesOf, type StatementCost, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";

/** The cost of a route, a job or a measurement, by its name. */
export type Costs = Map<string, StatementCost[]>;

const NONE = {};
type Other = { sellerId: string; closedAt: number };
/** A mail with access that could not be sent. */
type Failed = { mailId: string };

/** Jobs that are given something, of our seller or of the other one; all others run by the clock, with nothing. */
const GIVEN: Record<string, (things: Things, other: Other, failed: Failed) => object> = {
  "mail-closing": (_, other) => ({ ...other, beforeTime: "", beforeId: "" }),
  "mail-reopening": (_, other) => ({ ...other, beforeTime: "", beforeId: "" }),
  "connect-resend": () => ({ sellerId: "" }),
  "look-up-dispute": ({ seller }) => ({ sellerId: seller.id, provider: "mercadopago", disputeId: "1" }),
  "mail-by-platform": (_, __, failed) => failed,
  "check-domain": ({ seller }) => ({ sellerId: seller.id }),
  "mail-digests": () => ({ kind: "weekly" }),
  "mail-digest": ({ seller }) => ({ kind: "weekly", sellerId: seller.id }),
};

/**
 * A shop with one of everything and a product that sold a lot, beside sellers whose charges were paid twice. Measures
 * the database cost of each route, job, queue and measurement at the current size.
 */
export async function openBigShop() {
  const things = await makeThings("Ana");
  const { seller, product, upsell } = things;
  await sql`update products set checkout_slug = 'muito' where id = ${product.id}`;
  const buyer = await makeSale(product, { status: "completed" });
  const visitor = { ...(await inPortal(buyer.customerEmail)) };
  const cookie = await signedIn(seller);
  const mailId = await makeMail({ kind: "access", saleId: buyer.id, via: "seller" });
  await sql`delete from queued_mails where id = ${mailId}`;
  await sql`update mails set status = 'failed', failed_at = now() where id = ${mailId}`;
  const closedAt = Date.now();
  const others = await makeProduct(await makeSeller({ closedAt: new Date(closedAt) }));

  /** So many sales of the one product, and twice as many charges of others that were paid twice. */
  async function fill(many: number): Promise<void> {
    const name = `${crypto.randomUUID()}-`;
    const sold = sql`sales where order_key like ${`${name}%`}`;
    await sql.begin(async (tx) => {
      // The rows are consistent; what depends on writing them is written below.
      await tx`set local session_replication_role = replica`;
      await tx`insert into sales (seller_id, product_id, parent_sale_id, status, amount_cents, customer_name, customer_email,
          order_key, submission_key, client_key, created_at, completed_at, action_since, extra_net_cents)
        select case n % 3 when 0 then ${seller.id} else ${others.sellerId} end::uuid,
          case n % 3 when 0 then ${product.id} else ${others.id} end::bigint,
          case when n % 12 = 0 then ${things.sale.id}::uuid end, 'completed', 9700, 'Ana Lima', 'ana' || n || '@exemplo.com.br',
          ${name} || n, ${name} || n, ${name} || n, at, at, case when n % 3 > 0 then at end, case when n % 3 > 0 then 9700 else 0 end
        from generate_series(1, ${many * 3}::int) n, lateral (select now() - n * interval '20 seconds' as at) moment`;
      await tx`insert into sale_lines (sale_id, seller_id, kind, product_id, upsell_id, name, price_cents)
        select id, seller_id, case when parent_sale_id is null then 'product' else 'offer' end,
          case when parent_sale_id is null then product_id end, case when parent_sale_id is not null then ${upsell.id}::bigint end,
          'Produto', 9700 from ${sold}`;
      await tx`insert into upsell_sale_counts (upsell_id, seller_id, shard, completed)
        select ${upsell.id}, ${seller.id}, -1, count(*) from ${sold} and parent_sale_id is not null
        on conflict (upsell_id, shard) do update set completed = upsell_sale_counts.completed + excluded.completed`;
      await tx`insert into sale_events (sale_id, seller_id, kind, cause, at)
        select id, seller_id, kind, 'buyer', created_at from unnest(array['placed', 'completed']) kind, ${sold}`;
      await tx`insert into charges (sale_id, seller_id, provider, reference, provider_id, status, amount_cents, paid_cents, created_at, paid_at, overpaid_at)
        select id, seller_id, 'pushinpay', id || '/' || nth, gen_random_uuid(), 'paid', 9700, 9700, created_at, completed_at,
          case nth when 2 then completed_at end
        from generate_series(1, 2) nth, ${sold} and (nth = 1 or action_since is not null)`;
      const theirs = tx`charges c inner join sales s on s.id = c.sale_id where s.order_key like ${`${name}%`}`;
      await tx`insert into charge_events (charge_id, seller_id, kind, cause, at) select c.id, c.seller_id, 'paid', 'provider', c.paid_at from ${theirs}`;
      await tx`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at, handled_at)
        select 'pushinpay', c.id, s.seller_id, c.reference, c.provider_id, 'paid', 'paid', c.paid_at, c.paid_at from ${theirs}`;
      await tx`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
        select c.id, c.seller_id, 100, 'done', 'requested', c.paid_at, c.paid_at from ${theirs} and c.overpaid_at is null`;
      await tx`insert into mails (seller_id, sale_id, kind, recipient, idempotency_key, status, created_at, sent_at)
        select seller_id, id, 'purchase', customer_email, 'purchase/' || id, 'sent', created_at, created_at from ${sold}`;
      await tx`insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, status, created_at, cleared_at)
        select ${things.webhookId}, seller_id, id, id, id, 'sale.paid', 'sent', created_at, created_at
        from ${sold} and seller_id = ${seller.id}`;
      await tx`insert into report_marks (seller_id, day) select distinct seller_id, (created_at at time zone 'America/Sao_Paulo')::date
        from ${sold} on conflict do nothing`;
    });
    while ((await sql`select from report_marks limit 1`).length > 0)
      await refreshReports.handle(NONE as never, ATTEMPT);
    await sql.unsafe("vacuum analyze");
  }

  /** Each runs once before it is measured: what a connection learns once does not depend on the size. */
  async function costs(): Promise<Costs> {
    const found: Costs = new Map();
    const note = async (what: string, run: () => Promise<unknown>) => {
      await run();
      found.set(what, await pagesOf(run));
    };
    for (const { address, file } of await routeTable()) {
      if (address.endsWith("/events")) continue;
      const route: RouteModule = await import(pathToFileURL(resolve("app", file)).href);
      if (!route.loader) continue;
      for (const { params = {}, query = "", headers } of reads(address, file))
        await note(`GET ${address}${query.replace(/[\d-]{6,}|=\d+/g, "…")}`, async () => {
          const path = fillAddress(address, params) + query;
          const answer = await call(route, path, {
            params,
            headers: { ...headers, "X-Forwarded-For": newAddress() },
          });
          await answer.text();
        });
    }
    // What a job deletes is vacuumed before the next day's: the index of dead rows would be read once more.
    await runJobs();
    await sql.unsafe("vacuum");
    for (const { name, handle } of jobs) await note(`job ${name}`, () => handle(givenTo(name), ATTEMPT));
    for (const queue of queues) await note(`queue ${queue.name}`, () => queue.claim(1));
    for (const [name, read] of Object.entries(backlogReadings)) await note(`measurement ${name}`, read);
    return found;
  }

  function givenTo(job: string): never {
    return (GIVEN[job]?.(things, { sellerId: others.sellerId, closedAt }, { mailId }) ?? {}) as never;
  }

  async function runJobs(): Promise<void> {
    for (const { name, handle } of jobs) await handle(givenTo(name), ATTEMPT);
  }

  type Read = { params: Record<string, string>; query: string; headers: Record<string, string> };

  function reads(address: string, file: string): Read[] {
    const params = {
      ...{
        productId: String(product.id),
        slug: "muito",
        saleId: things.sale.id,
        paymentId: things.charge.id,
      },
      ...{
        webhookId: things.webhookId,
        pixelId: things.pixelId,
        areaId: things.areaId,
        newsId: things.newsId,
      },
      ...{
        itemId: things.itemId,
        pictureId: things.pictureId,
        uploadId: things.fileId,
        provider: "pushinpay",
      },
      lineId: crypto.randomUUID(),
    };
    if (file.startsWith("routes/buyer/")) {
      const query = address.startsWith("/upsell") ? `?sale=${buyer.id}` : "";
      const ofBuyer = { ...params, saleId: buyer.id };
      return [{ params: ofBuyer, query, headers: visitor }];
    }
    if (!/^routes\/(seller|api)\//.test(file)) return [{ params, query: "", headers: cookie }];
    const row = isolation[address];
    const attempts: Attempt[] = typeof row === "function" ? row(things, things) : [{}];
    const queries = new Set([
      "",
      ...attempts.filter(({ method = "GET" }) => method === "GET").map(({ query = "" }) => query),
    ]);
    return [...queries].map((query) => ({ params, query, headers: cookie }));
  }

  return { fill, costs, runJobs };
}

const ATTEMPT = { number: 1, last: false };

/** The jobs that the clock begins. */
export const CLOCKED = [...crontab.matchAll(/ ([a-z-]+) \?/g)].map(([, name]) => name!);

const pagesIn = (claimed: StatementCost[]) =>
  claimed.reduce((sum, { pages, calls }) => sum + pages * calls, 0);

/** What costs more with more rows: over a quarter, and over what the depth of an index may add. */
export function dearer(few: Costs, many: Costs): string[] {
  return [...many].flatMap(([what, claimed]) => {
    const before = few.get(what) ?? [];
    const [was, is] = [pagesIn(before), pagesIn(claimed)];
    if (is <= was * 1.25 + SHARED_MEMORY || what in BOUNDED) return [];
    const grown = claimed.filter(
      ({ query, pages }) => pages > (before.find((one) => one.query === query)?.pages ?? 0) * 1.25 + 4,
    );
    const report = grown.slice(0, 3).map(({ query, calls, pages }) => {
      const then = before.find((one) => one.query === query)?.pages ?? 0;
      return `\n    ${then} → ${pages} × ${calls}: ${query.slice(0, 700)}`;
    });
    return [`${what}: ${was} → ${is} pages${report.join("")}`];
  });
}

/** What reads a bounded number of rows, more of them or on more pages where more was sold. */
const BOUNDED: Record<string, string> = {
  "job mail-closing": "two hundred sales at once, at most a page for each",
  "job mail-digest": "a seller's sales of the last week or month, once each, with their lines",
  "measurement mailsOfLastHour": "the mails of an hour, 20,000 at most: each filling adds some",
  "measurement sellersWithRefusedKey":
    "the webhooks of an hour, the 2,000 newest at most: each filling adds some",
};

/** Pages: a lookup goes one level deeper at most, and a page has a fixed size. */
const SHARED_MEMORY = 24;
