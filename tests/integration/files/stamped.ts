import { soldFile } from "#tests/integration/files/delivery.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";

/** A sale of a product whose PDF is stamped. */
export async function soldStamped(app: App, content: Uint8Array<ArrayBuffer>) {
  const sold = await soldFile(app, content);
  await sql`update content_items set stamped_since = now() where id = ${sold.item}`;
  const [{ buyer } = { buyer: "" }] = await sql<{ buyer: string }[]>`
    select concat_ws(' · ', customer_name, customer_email) as buyer from sales where id = ${sold.sale.id}`;
  return { ...sold, line: sold.line, buyer: `${buyer} · pedido ${sold.sale.id.slice(0, 8)}` };
}

export const copiesOfSale = (saleId: string) =>
  sql`select id, file_id, copy_id, scheduled_at, attempts, failure from stamped_copies where sale_id = ${saleId} order by created_at`;

/** Schedules all copies now, whoever has claimed them. */
export async function scheduleStamping() {
  await sql`update stamped_copies set scheduled_at = date_trunc('milliseconds', now()) where scheduled_at is not null`;
  await sql`select pg_notify('due', 'stamped-copies')`;
}
