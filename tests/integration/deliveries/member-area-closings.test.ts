import { expect, test } from "vitest";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { buyersOf, KINDS, mailbox } from "#tests/integration/deliveries/open-school.ts";
import { sendQueued } from "#tests/integration/deliveries/support.ts";
import { startApp } from "#tests/support/app.ts";

const app = await startApp({ web: 0, worker: 0 });
const { sold, openTo } = buyersOf(app);

test.each(KINDS)("a corrected e-mail takes a bump along, too, at %s", async (kind) => {
  const { area, saleId, email } = await sold(kind, { withBump: true });
  await sendQueued(area, saleId);
  const opened = await openTo(email);
  const right = mailbox();
  await correctEmail(saleId, right);
  await sendQueued(area, saleId);
  expect(await openTo(right)).toEqual(opened);
  expect(await openTo(email)).toEqual([]);
});
