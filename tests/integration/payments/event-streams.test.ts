import { beforeAll, expect, test } from "vitest";
import { isUpToDate } from "#app/db/listen.server.ts";
import { loader } from "#app/routes/buyer/sale-events.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const product = await makeProduct(await makeSeller());
const newSales = (count: number) => Promise.all(Array.from({ length: count }, () => makeSale(product)));

/** An open page of a sale: the events it received, and how it is closed. */
async function watch(saleId: string, client = newAddress()) {
  const gone = new AbortController();
  const request = new Request(`http://localhost/checkout/pix/${saleId}/events`, {
    signal: gone.signal,
    headers: { "X-Forwarded-For": client },
  });
  const answer = (await loader({ request, params: { saleId }, context: {} })) as Response;
  const [received, standings]: [string[], string[]] = [[], []];
  if (answer.status === 200) void read(answer.body!, { status: received, standing: standings });
  return { answer, received, standings, close: () => gone.abort() };
}

async function read(
  body: ReadableStream<Uint8Array>,
  received: Record<"status" | "standing", string[]>,
): Promise<void> {
  for await (const part of body)
    for (const [, event, data] of Buffer.from(part)
      .toString()
      .matchAll(/^event: (status|standing)\ndata: (.*)$/gm))
      received[event as "status" | "standing"].push(data!);
}

async function pay(...saleIds: string[]): Promise<void> {
  await sql`update sales set status = 'completed', completed_at = now() where id in ${sql(saleIds)}`;
  await sql`select pg_notify('sale', id) from unnest(${saleIds}::text[]) id`;
}

beforeAll(async () => {
  const [sale] = await newSales(1);
  const page = await watch(sale!.id);
  // The first read as listening begins is done.
  for (const _ of [1, 2]) await isUpToDate();
  page.close();
});

test("a change is read once, however many pages of the sale are open, and sent to all of them", async () => {
  const sales = await newSales(10);
  const pages = await Promise.all(sales.flatMap(({ id }) => Array.from({ length: 4 }, () => watch(id))));
  await until(() => pages.every(({ received }) => received.length === 1));
  const { values } = await countStatements(
    async () => {
      await pay(sales[0]!.id);
      await until(() => pages.slice(0, 4).every(({ received }) => received.at(-1) === "completed"));
    },
    { everywhere: true },
  );
  // Those of this sale alone: other work of this process may go on meanwhile.
  expect(values.filter((sent) => JSON.stringify(sent).includes(sales[0]!.id))).toHaveLength(1);
  expect(pages.slice(4).every(({ received }) => received.join() === "pending")).toBe(true);
  for (const page of pages) page.close();
});

test("a page opened after the code expired is notified, also beside one that was open before", async () => {
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
  await until(() => pages.every(({ received }) => received.length === 1));
  const { count } = await countStatements(async () => {
    await pay(...sales.map(({ id }) => id));
    await until(() => pages.every(({ received }) => received.join() === "pending,completed"));
  });
  expect(count).toBeLessThan(30);
  for (const page of pages) page.close();
});

test("a change made while the listener was down is sent afterwards", async () => {
  const [sale] = await newSales(1);
  const page = await watch(sale!.id);
  await until(() => page.received.length === 1);
  // Sent to nobody. The connection may be back before another statement is through, so this comes first.
  await sql`update sales set status = 'completed', completed_at = now() where id = ${sale!.id}`;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'checkintelli-listen' and datname = current_database()`;
  await until(() => page.received.at(-1) === "completed");
  page.close();
});

test("a sale has four streams; a closed one is free for the next", async () => {
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

test("a stream that is refused or finds no sale uses no slot", async () => {
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

test("an open page gets a change made while the process could not listen", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "pending" });
  const closing = new AbortController();
  const request = new Request(`http://localhost/api/sales/${sale.id}/events`, { signal: closing.signal });
  const answer = (await loader({ request, params: { saleId: sale.id }, context: {} })) as Response;
  const received = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const notifies = async (status: string) => {
    for (;;) {
      const { value, done } = await received.read();
      if (done) throw new Error("the stream ended");
      if (value.includes(`data: ${status}`)) return;
    }
  };
  await notifies("pending");
  // Changed without a notification, as if it had been lost while the listener was down.
  await sql`update sales set status = 'completed', completed_at = now() where id = ${sale.id}`;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'checkintelli-listen'`;
  await notifies("completed");
  closing.abort();
});
