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

export const stampsOfSale = (saleId: string) =>
  sql`select id, file_id, copy_id, due_at, tries, failure from stamps where sale_id = ${saleId} order by created_at`;

/** Due now, whoever holds it. */
export async function stampAgain() {
  await sql`update stamps set due_at = date_trunc('milliseconds', now()) where due_at is not null`;
  await sql`select pg_notify('due', 'stamps')`;
}
