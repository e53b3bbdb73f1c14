import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ worker: 0, sandbox: false });

/**
 * A seller with so many sales, each eight kilobytes of the file: more than a connection holds. The search's
 * index would take a quarter of a minute for buyers' names that long.
 */
async function shop(count: number) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await sql`
    with placed as (
      insert into sales (seller_id, product_id, amount_cents, customer_email, order_key)
      select ${seller.id}, ${product.id}, 9700, 'a@exemplo.com.br', gen_random_uuid()::text
      from generate_series(1, ${count}::int) returning id, seller_id)
    insert into sale_lines (sale_id, seller_id, kind, product_id, name, price_cents)
    select id, seller_id, 'product', ${product.id}, repeat('n', 8000), 9700 from placed`;
  return { headers: await signedIn(seller) };
}

const MANY = 2500;
const large = await shop(MANY);

/** A file whose body has not been read. */
function open(headers: Record<string, string>, path = "/reports/export"): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const all = { ...headers, "X-Forwarded-For": newAddress() };
    get(new URL(path, app.url), { headers: all, agent: false }, done).on("error", fail);
  });
}

/** The next file of a seller whose slot is about to be free. */
function nextOf(headers: Record<string, string>, path?: string): Promise<IncomingMessage> {
  return until(async () => {
    const answer = await open(headers, path);
    if (answer.statusCode === 200) return answer;
    answer.resume();
    return null;
  });
}

async function rowsOf(answer: AsyncIterable<Buffer>): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString().trim().split("\r\n").length - 1;
}

test("a seller downloads one file of sales at a time: another is refused with a message, and the first completes", async () => {
  const [mine, theirs] = [large, await shop(3)];
  const first = await open(mine.headers);
  expect(first.statusCode).toBe(200);
  for (const accept of ["text/html", "*/*"]) {
    const second = await app.fetch("/reports/export", { headers: { ...mine.headers, Accept: accept } });
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await second.text()).toContain("Outro arquivo desta conta ainda está sendo baixado");
  }
  expect(await rowsOf(await open(theirs.headers))).toBe(3);
  expect(await rowsOf(first)).toBe(MANY);
  (await nextOf(mine.headers)).destroy();
});

test("a download that its browser aborted, or never read, frees its slot", async () => {
  const { headers } = large;
  (await nextOf(headers)).destroy();
  const requestHead = () => app.fetch("/reports/export", { method: "HEAD", headers });
  await until(async () => (await requestHead()).status === 200);
  expect(await rowsOf(await nextOf(headers))).toBe(MANY);
});

test("the file of a seller's account is one of these files", async () => {
  const { headers } = large;
  const account = "/settings/close/dados.json";
  const first = await nextOf(headers, account);
  for (const path of [account, "/reports/export"]) {
    const second = await app.fetch(path, { headers });
    expect([path, second.status, second.headers.get("retry-after")]).toEqual([path, 429, "5"]);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of first) chunks.push(chunk as Buffer);
  expect(JSON.parse(Buffer.concat(chunks).toString()).vendas).toHaveLength(MANY);
  (await nextOf(headers)).destroy();
});
