import { expect, test } from "vitest";
import { loader } from "#app/routes/buyer/sale-events.ts";
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
