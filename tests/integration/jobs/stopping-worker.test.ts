import { expect, test, vi } from "vitest";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { makeDueRefund } from "#tests/integration/jobs/make-due-refund.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";

let stopping = true;
vi.mock("#app/platform/shutdown.server.ts", async (original) => ({
  ...(await original<typeof import("#app/platform/shutdown.server.ts")>()),
  isStopping: () => stopping,
}));

test("a worker that stops begins no automatic refund: they stay due, and the next run sends them", async () => {
  const product = await makeProduct(await makeSeller());
  for (let n = 0; n < 3; n++) await makeDueRefund(product);
  const send = () => sendAutomaticRefunds.handle({}, { number: 1, last: false });
  const due = async () => (await sql`select 1 from refunds where send_at is not null`).length;
  await send();
  expect(await due()).toBe(3);
  stopping = false;
  await send();
  expect(await due()).toBe(0);
});
