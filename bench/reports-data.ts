import type { Sql } from "postgres";

/** The benchmark's shops: one with a quarter of all sales, one with a thousand. */
export type BenchShops = { big: string; small: string };

/**
 * Fills a migrated, empty database with `total` sales over the two years before `now`, a quarter of them of one seller: two
 * thirds paid, growing towards today, 300,000 buyers of whom many return, 60 campaigns, 20 products, bumps and upsells.
 * Triggers are disabled meanwhile and indexes recreated at the end; the days of the two shops stay marked.
 */
export async function fillReports(sql: Sql, total: number, now: Date): Promise<BenchShops> {
  await sql.unsafe("set session_replication_role = replica");
  const indexes = await dropIndexes(sql);
  await sql`select setseed(0.42)`;
  await sql`
    insert into sellers (email, name)
    select 'loja' || n || '@exemplo.com.br', 'Loja ' || n from generate_series(1, 200) n`;
  await sql`
    insert into products (seller_id, name, price_cents)
    select s.id, 'Produto ' || n, 1990 + n * 700
    from sellers s, generate_series(1, 20) n order by s.email, n`;
  const [big] = await sql<{ id: string }[]>`select id from sellers where email = 'loja1@exemplo.com.br'`;
  const [small] = await sql<{ id: string }[]>`select id from sellers where email = 'loja2@exemplo.com.br'`;
  await sql`
    create temp table shops as
    select id, row_number() over (order by id) as place, (select min(p.id) from products p where p.seller_id = s.id) as first_product
    from sellers s where id not in (${big!.id}, ${small!.id})`;
  await sql`create index on shops (place)`;
  await sql`
    create temp table drawn as
    select n, random() as age, random() as fate, floor(random() * 20)::int as product, floor(300000 * random() ^ 1.5)::int as buyer,
      floor(random() * 60)::int as campaign, random() < 0.6 as tagged, random() < 0.2 as bumped, random() as delay
    from generate_series(1, ${total}::int) n`;
  await sql`
    insert into sales (seller_id, product_id, status, amount_cents, customer_name, customer_email, customer_ip,
      utm_source, utm_medium, utm_campaign, order_key, created_at, completed_at, refunded_at, fee_cents, refunded_cents, device, seen_at)
    select seller_id, product_id, status, amount, name, email, '200.1.2.3',
      case when tagged then (array['facebook','google','tiktok','instagram','kwai'])[1 + campaign % 5] end,
      case when tagged then (array['cpc','social','email'])[1 + campaign % 3] end,
      case when tagged then 'campanha-' || campaign end,
      n::text, created, case when status in ('completed', 'refunded', 'chargedback') then created + delay * interval '20 minutes' end,
      case when status = 'refunded' then created + interval '3 days' end, case when status = 'completed' then 35 end,
      case when status in ('refunded', 'chargedback') then amount else 0 end,
      case when n % 5 = 0 then 'computer' else 'phone' end, case when n % 10 > 0 then created - interval '2 minutes' end
    from (
      select d.*,
        case when n % 4 = 0 then ${big!.id}::uuid when n % 2000 = 1 then ${small!.id}::uuid else s.id end as seller_id,
        case when n % 4 = 0 then (select min(id) from products where seller_id = ${big!.id})
          when n % 2000 = 1 then (select min(id) from products where seller_id = ${small!.id})
          else s.first_product end + d.product as product_id,
        (case when fate < 0.63 then 'completed' when fate < 0.85 then 'cancelled' when fate < 0.95 then 'pending'
          when fate < 0.98 then 'failed' when fate < 0.999 then 'refunded' else 'chargedback' end) as status,
        1990 + (d.product + 1) * 700 + case when bumped then 1990 else 0 end as amount,
        (array['Maria','José','Ana','João','Antônio','Francisca','Carlos','Paulo','Beatriz','Lucas','Luiza','Pedro','Marcos','Juliana','Rafael','Camila'])[1 + buyer % 16]
          || ' ' || (array['Silva','Santos','Oliveira','Souza','Rodrigues','Ferreira','Alves','Pereira','Lima','Gomes','Costa','Ribeiro','Martins','Carvalho','Almeida','Lopes'])[1 + (buyer / 16) % 16]
          || ' ' || (array['Araújo','Melo','Barbosa','Cardoso','Teixeira','Moura','Dias','Castro'])[1 + (buyer / 256) % 8]
          || case when buyer % 1000 = 7 then ' Krzyzanowski' else '' end as name,
        'pessoa' || buyer || '@exemplo.com.br' as email,
        ${now}::timestamptz - interval '730 days' * (age ^ 1.2) as created
      from drawn d join shops s on s.place = 1 + (d.n * 7919::bigint) % (select count(*) from shops)
    ) x order by created`;
  await sql`
    insert into sale_lines (sale_id, seller_id, kind, product_id, position, name, price_cents)
    select id, seller_id, 'product', product_id, 0, 'Produto', amount_cents from sales`;
  await sql`
    insert into sale_lines (sale_id, seller_id, kind, position, name, price_cents)
    select s.id, s.seller_id, 'bump', 1, 'Apostila', 1990 from sales s join drawn d on d.n::text = s.order_key where d.bumped`;
  await sql`
    insert into charges (sale_id, seller_id, provider, reference, provider_id, status, amount_cents, created_at, paid_at, paid_cents, fee_cents)
    select id, seller_id, 'pushinpay', order_key, md5(order_key)::uuid, case when completed_at is null then 'expired' else 'paid' end,
      amount_cents, created_at, completed_at, case when completed_at is not null then amount_cents end, fee_cents
    from sales`;
  await sql`
    insert into mails (seller_id, sale_id, kind, recipient, idempotency_key, status, attempts, created_at, sent_at, failed_at)
    select seller_id, id, 'purchase', customer_email, 'purchase/' || id,
      case when order_key::int % 50 = 0 then 'failed' else 'sent' end, 1 + order_key::int % 3 / 2, completed_at, completed_at, case when order_key::int % 50 = 0 then completed_at end
    from sales where completed_at is not null`;
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`
    insert into report_marks (seller_id, day, email)
    select distinct seller_id, (v.at at time zone 'America/Sao_Paulo')::date, v.email
    from sales, lateral (values (created_at, null), (completed_at, customer_email)) as v (at, email)
    where v.at is not null and seller_id in (${big!.id}, ${small!.id})`;
  await sql`
    insert into funnel_marks (seller_id, day)
    select distinct seller_id, (created_at at time zone 'America/Sao_Paulo')::date from sales
    where seller_id in (${big!.id}, ${small!.id})`;
  await fillViews(sql, [big!.id, small!.id]);
  await sql.unsafe("set session_replication_role = origin");
  await sql`drop table shops, drawn`;
  await sql.unsafe("vacuum analyze");
  return { big: big!.id, small: small!.id };
}

/** Twelve views per sale, with its day, product, campaign and device; the breakdowns are summed from them. */
async function fillViews(sql: Sql, sellers: string[]): Promise<void> {
  await sql`
    insert into funnel_views (seller_id, split, day, product_id, campaign, device, seen, begun)
    select seller_id, grouping(product_id, campaign, device), day, coalesce(product_id, 0), coalesce(campaign, ''),
      coalesce(device, ''), 12 * count(*), 4 * count(*)
    from (
      select seller_id, (created_at at time zone 'America/Sao_Paulo')::date as day, product_id, device,
        jsonb_build_array(utm_source, utm_campaign)::text as campaign
      from sales where seller_id = any (${sellers}::uuid[])
    ) s
    group by seller_id, day, cube (product_id, campaign, device)
    having grouping(product_id, campaign, device) < 7`;
}

/** Drops the big tables' indexes except their keys: inserting is many times faster without. @returns their definitions */
async function dropIndexes(sql: Sql): Promise<{ name: string; definition: string }[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('sales', 'sale_lines', 'charges', 'mails') and indexname not like '%pkey'`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  return [...indexes];
}
