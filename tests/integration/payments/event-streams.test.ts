import { beforeAll, expect, test } from "vitest";
import { hasHeardAll } from "#app/db/listen.server.ts";
import { loader } from "#app/routes/buyer/sale-events.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const product = await makeProduct(await makeSeller());
const newSales = (count: number) => Promise.all(Array.from({ length: count }, () => makeSale(product)));

/** An open page of a sale: what it was told so far, and how it is closed. */
async function watch(saleId: string, client = newAddress()) {
  const gone = new AbortController();
  const request = new Request(`http://localhost/checkout/pix/${saleId}/events`, {
    signal: gone.signal,
    headers: { "X-Forwarded-For": client },
  });
  const answer = (await loader({ request, params: { saleId }, context: {} })) as Response;
  const [told, standings]: [string[], string[]] = [[], []];
  if (answer.status === 200) void read(answer.body!, { status: told, standing: standings });
  return { answer, told, standings, close: () => gone.abort() };
}

async function read(
  body: ReadableStream<Uint8Array>,
  told: Record<"status" | "standing", string[]>,
): Promise<void> {
  for await (const part of body)
    for (const [, event, data] of Buffer.from(part)
      .toString()
      .matchAll(/^event: (status|standing)\ndata: (.*)$/gm))
      told[event as "status" | "standing"].push(data!);
}

async function pay(...saleIds: string[]): Promise<void> {
  await sql`update sales set status = 'completed', completed_at = now() where id in ${sql(saleIds)}`;
  await sql`select pg_notify('sale', id) from unnest(${saleIds}::text[]) id`;
}

beforeAll(async () => {
  const [sale] = await newSales(1);
  const page = await watch(sale!.id);
  // Whatever is read as listening begins was read.
  for (const _ of [1, 2]) await hasHeardAll();
  page.close();
});

test("a change is read once, however many pages of the sale are open, and told to all of them", async () => {
  const sales = await newSales(10);
  const pages = await Promise.all(sales.flatMap(({ id }) => Array.from({ length: 4 }, () => watch(id))));
  await until(() => pages.every(({ told }) => told.length === 1));
  const { statements } = await countStatements(
    async () => {
      await pay(sales[0]!.id);
      await until(() => pages.slice(0, 4).every(({ told }) => told.at(-1) === "completed"));
    },
    { everywhere: true },
  );
  expect(statements).toHaveLength(1);
  expect(pages.slice(4).every(({ told }) => told.join() === "pending")).toBe(true);
  for (const page of pages) page.close();
});

test("a page opened once the code ran out is told so, also beside one that was open before", async () => {
  const [sale] = await newSales(1);
  const charge = await makeCharge(sale!, { status: "open" });
  const before = await watch(sale!.id);
  await until(() => before.standings.length > 0);
  expect(before.standings).toEqual(["payable"]);
  await sql`update charges set expires_at = now() - interval '1 second' where id = ${charge.id}`;
  const after = await watch(sale!.id);
  await until(() => after.standings.length > 0);
  expect(after.standings[0]).toBe("over");
  for (const page of [before, after]) page.close();
});

test("changes at once are read together", async () => {
  const sales = await newSales(60);
  const pages = await Promise.all(sales.map(({ id }) => watch(id)));
  await until(() => pages.every(({ told }) => told.length === 1));
  const { count } = await countStatements(async () => {
    await pay(...sales.map(({ id }) => id));
    await until(() => pages.every(({ told }) => told.join() === "pending,completed"));
  });
  expect(count).toBeLessThan(30);
  for (const page of pages) page.close();
});

test("what changed while nothing could be heard is told after all", async () => {
  const [sale] = await newSales(1);
  const page = await watch(sale!.id);
  await until(() => page.told.length === 1);
  // Told to nobody. The connection may be back before another statement is through, so this comes first.
  await sql`update sales set status = 'completed', completed_at = now() where id = ${sale!.id}`;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'checkintelli-listen' and datname = current_database()`;
  await until(() => page.told.at(-1) === "completed");
  page.close();
});

test("a sale has four streams; who closes one leaves it to the next", async () => {
  const [sale] = await newSales(1);
  const pages = await Promise.all(Array.from({ length: 4 }, () => watch(sale!.id)));
  const refused = (await watch(sale!.id)).answer;
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  pages[0]!.close();
  await until(async () => (await watch(sale!.id)).answer.status === 200);
  expect((await watch(sale!.id)).answer.status).toBe(429);
});

test("a client has sixty streams, and no other client fewer for it", async () => {
  const sales = await newSales(16);
  const client = newAddress();
  const pages = await Promise.all(
    Array.from({ length: 60 }, (_, i) => watch(sales[Math.floor(i / 4)]!.id, client)),
  );
  expect(pages.every(({ answer }) => answer.status === 200)).toBe(true);
  expect((await watch(sales[15]!.id, client)).answer.status).toBe(429);
  expect((await watch(sales[15]!.id)).answer.status).toBe(200);
  for (const page of pages) page.close();
  await until(async () => (await watch(sales[14]!.id, client)).answer.status === 200);
});

test("a stream that is refused or finds no sale takes no place", async () => {
  const client = newAddress();
  for (let i = 0; i < 70; i++) expect((await watch(crypto.randomUUID(), client)).answer.status).toBe(404);
  const [sale] = await newSales(1);
  expect((await watch(sale!.id, client)).answer.status).toBe(200);
});

test("a page closed before its event stream began leaves nothing open", async () => {
  const [sale] = await newSales(1);
  const signal = AbortSignal.abort();
  for (let i = 0; i < 5; i++) {
    const request = new Request(`http://localhost/checkout/pix/${sale!.id}/events`, { signal });
    const answer = (await loader({ request, params: { saleId: sale!.id }, context: {} })) as Response;
    expect(answer.status).toBe(200);
    for await (const _ of answer.body!);
  }
});

test("an open page is told of what changed while the process could not hear", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "pending" });
  const closing = new AbortController();
  const request = new Request(`http://localhost/api/sales/${sale.id}/events`, { signal: closing.signal });
  const answer = (await loader({ request, params: { saleId: sale.id }, context: {} })) as Response;
  const told = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const tells = async (status: string) => {
    for (;;) {
      const { value, done } = await told.read();
      if (done) throw new Error("the stream ended");
      if (value.includes(`data: ${status}`)) return;
    }
  };
  await tells("pending");
  // Changed without a word, as if the word had come in the moment without ears.
  await sql`update sales set status = 'completed', completed_at = now() where id = ${sale.id}`;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'checkintelli-listen'`;
  await tells("completed");
  closing.abort();
});
