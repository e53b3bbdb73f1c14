import { expect, test } from "vitest";
import { stampedCopyQueue } from "#app/domain/stamped-copy/make-stamped-copy.server.ts";
import { requestStampedCopy } from "#app/domain/stamped-copy/request-stamped-copy.server.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

// Without a worker: nothing is ever ready.
await startApp({ web: 0, worker: 0, sandbox: false });

test("a hundred requests that wait for one copy query the database as often as one", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [file] = await sql`insert into files (seller_id, name, size, received, content_type, ready_at)
    values (${seller.id}, 'apostila.pdf', 10, 10, 'application/pdf', now()) returning id`;
  const sale = await makeSale(product, { status: "completed" });
  const request = { sellerId: seller.id, fileId: file!.id as string, sale };
  const { result, count } = await countStatements(() =>
    Promise.all(Array.from({ length: 100 }, () => requestStampedCopy(request))),
  );
  expect(new Set(result.map(({ state }) => state))).toEqual(new Set(["preparing"]));
  expect(count).toBeLessThan(40);
  expect(await sql`select 1 from stamped_copies where sale_id = ${sale.id}`).toHaveLength(1);
});

test("a seller with many buyers at once does not delay others", async () => {
  await sql`delete from stamped_copies`;
  const [many, one] = [await makeSeller(), await makeSeller()];
  for (const [seller, count] of [
    [many, 5],
    [one, 1],
  ] as const) {
    const product = await makeProduct(seller);
    const [file] = await sql`insert into files (seller_id, name, size, received, content_type, ready_at)
      values (${seller.id}, 'apostila.pdf', 10, 10, 'application/pdf', now()) returning id`;
    for (let nth = 0; nth < count; nth++) {
      const sale = await makeSale(product, { status: "completed" });
      await sql`insert into stamped_copies (seller_id, file_id, sale_id, text_key, scheduled_at)
        values (${seller.id}, ${file!.id}, ${sale.id}, 'words', now())`;
    }
  }
  const order: string[] = [];
  for (let nth = 0; nth < 6; nth++)
    for (const claimed of await stampedCopyQueue.claim(1)) order.push(claimed.sellerId);
  expect(order).toEqual([many, one, many, many, many, many].map(({ id }) => id));
});
