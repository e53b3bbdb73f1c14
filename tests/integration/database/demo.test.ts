import { expect, test } from "vitest";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { seed } from "#scripts/seed.ts";
import { sql } from "#tests/support/database.ts";

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
