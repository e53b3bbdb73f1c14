import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { closeAccount } from "#app/domain/erasure/close-account.server.ts";
import { signaturesOf } from "#app/platform/secrets.server.ts";
import { mailClosings } from "#tests/integration/erasure/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** Named before any module reads the environment. */
vi.hoisted(() => {
  process.env.APP_SECRET_OLD = "o segredo de antes, com mais de trinta e duas letras";
});

test("a buyer whom an earlier batch mailed of a closing with the old secret is not mailed again", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [ana, bia] = [`ana-${randomUUID()}@exemplo.com.br`, `bia-${randomUUID()}@exemplo.com.br`];
  const sale = await makeSale(product, { status: "completed", customerEmail: ana });
  await makeSale(product, { status: "completed", customerEmail: bia });
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  const [closed] = await sql`select closed_at from sellers where id = ${seller.id}`;
  const old = signaturesOf(`shop-closed:${ana}`)[1]!;
  const key = `shop-closed/${seller.id}/${(closed!.closed_at as Date).getTime()}/${old}`;
  await sql`insert into mails (kind, idempotency_key, recipient, seller_id, sale_id)
    values ('shop-closed', ${key}, ${ana}, ${seller.id}, ${sale.id})`;
  await mailClosings(seller.id);
  const told =
    await sql`select recipient from mails where seller_id = ${seller.id} and kind = 'shop-closed' order by 1`;
  expect(told.map(({ recipient }) => recipient)).toEqual([ana, bia]);
});
