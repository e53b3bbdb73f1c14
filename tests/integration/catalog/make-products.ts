import { sql } from "#tests/support/database.ts";

/**
 * `count` products of a seller, a second apart, named `Produto 1` and on; every tenth is inactive. No trigger runs for each: nobody
 * waits for news of them.
 */
export async function makeManyProducts(seller: { id: string }, count: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into products (seller_id, name, description, price_cents, file_url, deactivated_at, created_at)
      select ${seller.id}, 'Produto ' || n, 'Descrição ' || n, 100 + n, 'https://arquivos.exemplo.com.br/' || n,
             case when n % 10 = 0 then now() end, now() - make_interval(secs => ${count}::int - n)
      from generate_series(1, ${count}::int) n`;
  });
  await sql`analyze products`;
}

/** A product's form as JSON with the required fields; `fields` replaces and adds. */
export function productBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: "Curso de Violão",
    price: 97,
    file_url: "https://arquivos.exemplo.com.br/curso.pdf",
    ...fields,
  };
}
