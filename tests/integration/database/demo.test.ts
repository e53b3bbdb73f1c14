import { expect, test } from "vitest";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { env } from "#app/platform/env.server.ts";
import { prepareDemo } from "#scripts/prepare-database.ts";
import { seed } from "#scripts/seed.ts";
import { sql } from "#tests/support/database.ts";

/** In how many rows of each column an address of the demo's files begins with `address`. */
async function filesAt(address: string): Promise<Record<string, number>> {
  const columns = await sql<{ query: string }[]>`
    select format('select %L as name, count(*)::int as n from %I where %I::text like ',
      table_name || '.' || column_name, table_name, column_name) as query
    from information_schema.columns inner join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb')`;
  const counts = await sql.unsafe<{ name: string; n: number }[]>(
    columns.map(({ query }) => `${query} '%${address}/demo/%'`).join(" union all "),
  );
  return Object.fromEntries(counts.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]));
}

test("an empty database gets the demo shop, whose pictures and files follow the address of each start", async () => {
  const prepare = (address: string) => prepareDemo(env.DATABASE_URL, address);
  await prepare(env.APP_URL);
  const files = await filesAt(env.APP_URL);
  expect(files).toMatchObject({ "products.image_url": 3, "products.file_url": 3 });
  const own = "https://fotos.exemplo.com.br/demo/minha.jpg";
  await sql`update products set image_url = ${own} where image_url like '%/curso-de-violao.svg'`;
  for (const address of ["http://localhost:4004", "http://localhost:40045"]) {
    await prepare(address);
    expect(await filesAt(address)).toEqual({ ...files, "products.image_url": 2 });
  }
  expect(await filesAt(env.APP_URL)).toEqual({});
  expect(await sql`select from products where image_url = ${own}`).toHaveLength(1);
});

test("the demo shop's texts on every checkout fit every product", async () => {
  await seed();
  const [shop] = await sql`select p.seller_id from products p where p.checkout_slug = 'curso-de-violao'`;
  const stored = await sql`
    select settings from checkout_customizations where seller_id = ${shop!.seller_id}
    union all select settings from thank_you_customizations where seller_id = ${shop!.seller_id}`;
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toMatch(/viol[ãa]o|acorde|cifra|planilha|curso|aula/i);
});

test("the demo shop has one disputed sale, whose buyer keeps the access as the seller's setting says", async () => {
  await seed();
  await seed();
  const disputed = await sql`
    select s.id, s.seller_id, s.access_suspended_at, e.suspends_disputed, d.status, d.amount_cents = s.amount_cents as is_whole,
      (select c.status from charges c where c.id = d.charge_id) as charge
    from sales s inner join sellers e on e.id = s.seller_id inner join disputes d on d.sale_id = s.id
    where s.status = 'disputed'`;
  expect(disputed).toMatchObject([
    {
      access_suspended_at: null,
      suspends_disputed: false,
      status: "open",
      is_whole: true,
      charge: "paid",
    },
  ]);
  const { id, seller_id } = disputed[0]!;
  expect(await findActionItems(seller_id)).toMatchObject([{ kind: "disputed", saleId: id }]);
});
