import { sql } from "#tests/support/database.ts";

/** Who a seller says that they are. */
export async function makeStore(seller: { id: string }, fields: Record<string, string | null> = {}) {
  const row = {
    legal_name: "Ateliê da Vera Cursos Ltda.",
    tax_id: "11222333000181",
    street: "Rua das Flores",
    number: "10",
    complement: "Sala 2",
    district: "Centro",
    city: "Campinas",
    state: "SP",
    postal_code: "13010000",
    email: "atelie@exemplo.com.br",
    phone: null,
    ...fields,
  };
  await sql`insert into store_details ${sql({ seller_id: seller.id, ...row })}`;
  return row;
}
