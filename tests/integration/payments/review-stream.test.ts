import { expect, test } from "vitest";
import { loader } from "#app/routes/buyer/sale-events.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

test("a page closed before its event stream began leaves nothing open", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()));
  const signal = AbortSignal.abort();
  const request = new Request(`http://localhost/api/sales/${sale.id}/events`, { signal });
  const answer = (await loader({ request, params: { saleId: sale.id }, context: {} })) as Response;
  const reader = answer.body!.getReader();
  const ended = (async () => {
    while (!(await reader.read()).done);
    return true;
  })();
  expect(await Promise.race([ended, new Promise((late) => setTimeout(late, 2000, false))])).toBe(true);
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
