import type { Sql } from "postgres";

/**
 * Creates the bare shop's tables, with the offer that the benchmark buys. Without foreign keys, whose locks on the one offer every
 * order would take; and with room in each page for the update of a row.
 */
export async function createTables(sql: Sql): Promise<void> {
  await sql`create table if not exists bare_offers (id int primary key, slug text not null unique, cents int not null)`;
  await sql`create table if not exists bare_orders (
    id uuid primary key, offer_id int not null, name text not null, email text not null, cents int not null,
    created_at timestamptz not null default now(), completed_at timestamptz) with (fillfactor = 50)`;
  await sql`create table if not exists bare_charges (
    order_id uuid primary key, cents int not null, provider_id text, code text, paid_at timestamptz) with (fillfactor = 50)`;
  await sql`create table if not exists bare_messages (
    id bigint generated always as identity primary key, order_id uuid not null, kind text not null, recipient text not null,
    body text not null, sent_at timestamptz) with (fillfactor = 50)`;
  await sql`insert into bare_offers values (1, 'curso-de-violao', 9700) on conflict do nothing`;
}
