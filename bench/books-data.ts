import type { Sql } from "postgres";

/**
 * Adds to the sales of `fillReports` the rows that a purchase creates: sale and charge events, provider webhooks and UTMify
 * deliveries. Eight events per paid purchase, as for a PIX paid within minutes.
 */
export async function fillBooks(sql: Sql): Promise<void> {
  await sql.unsafe("set session_replication_role = replica");
  await sql`
    insert into sale_events (sale_id, seller_id, kind, data, cause, at)
    select id, seller_id, kind, data::jsonb, cause, at from sales, lateral (values
      ('placed', '{"via": "checkout"}', 'buyer', created_at), ('completed', '{}', 'provider', completed_at)
    ) as fact (kind, data, cause, at) where at is not null`;
  await sql`
    insert into charge_events (charge_id, seller_id, kind, data, cause, at)
    select id, seller_id, kind, data::jsonb, cause, at from charges, lateral (values
      ('requested', '{}', 'buyer', created_at),
      ('made', '{"tookMs": 431}', 'provider', created_at + interval '431 ms'),
      ('asked', '{"state": "open", "word": "created", "tookMs": 212}', 'system', created_at + interval '90 s'),
      ('asked', '{"state": "paid", "word": "paid", "tookMs": 198}', 'system', paid_at),
      ('paid', json_build_object('amountCents', paid_cents, 'feeCents', fee_cents)::text, 'provider', paid_at),
      ('expired', '{}', 'provider', case when status = 'expired' then created_at + interval '1 hour' end)
    ) as fact (kind, data, cause, at) where at is not null`;
  await sql`
    insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at, handled_at)
    select provider, id, seller_id, reference, provider_id, 'paid', 'paid', paid_at - interval '1 s', paid_at from charges where paid_at is not null`;
  await sql`
    insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, status, reason, attempts, response_status,
      body_sealed, attempted_at, created_at)
    select seller_id, seller_id, id, id, id, 'sale.paid', 'sent', 'taken', 1, 200, repeat(md5(id::text), 25), completed_at, completed_at
    from sales where completed_at is not null`;
  // As if each had failed: texts of mails that were sent are deleted at once.
  await sql`
    insert into queued_mails (id, seller_id, created_at, scheduled_at, data, body_sealed)
    select id, seller_id, created_at, null, '{}', repeat(md5(id::text), 20) from mails order by created_at`;
  await sql.unsafe("set session_replication_role = origin");
  await sql.unsafe("vacuum analyze");
}
