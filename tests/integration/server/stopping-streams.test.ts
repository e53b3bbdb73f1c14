import { beforeEach, expect, test, vi } from "vitest";
import { loader } from "#app/routes/buyer/sale-events.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { holdLock, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

let stopping = false;
vi.mock("#app/platform/shutdown.server.ts", async (original) => ({
  ...(await original<typeof import("#app/platform/shutdown.server.ts")>()),
  isStopping: () => stopping,
}));

beforeEach(() => {
  stopping = false;
});

const newSale = async () => makeSale(await makeProduct(await makeSeller()));

/** Opens an event stream of a sale, and closes it once it began. @returns the status, and the text of a refusal */
async function watch(saleId: string): Promise<[number, string]> {
  const url = `http://localhost/checkout/pix/${saleId}/events`;
  const request = new Request(url, { headers: { "X-Forwarded-For": newAddress() } });
  const answer = (await loader({ request, params: { saleId }, context: {} })) as Response;
  if (answer.status !== 200) return [answer.status, await answer.text()];
  await answer.body!.cancel();
  return [answer.status, ""];
}

const REFUSED = [503, expect.stringContaining("Estamos fora do ar por um instante.")];

test("an event stream that is opened while the process stops is refused at once", async () => {
  const sale = await newSale();
  stopping = true;
  expect(await watch(sale.id)).toEqual(REFUSED);
});

test("so is one that waits to be read when the stop begins; one that is being read is answered", async () => {
  const [first, second] = [await newSale(), await newSale()];
  const { release } = await holdLock((tx) => tx`lock table sales in access exclusive mode`);
  try {
    const beingRead = watch(first.id);
    await untilLockedOut();
    const waiting = watch(second.id);
    stopping = true;
    await release();
    expect(await beingRead).toEqual([200, ""]);
    expect(await waiting).toEqual(REFUSED);
  } finally {
    await release();
  }
});
