import { expect, test } from "vitest";
import type { WebhookForm } from "#app/domain/outbox/webhook/settings.ts";
import { makeDue, tell } from "#tests/integration/outbox/support.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeWebhook } from "#tests/support/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });

const RECEIVERS: {
  name: string;
  form: WebhookForm;
  mode: "http-500" | "reset" | "http-429";
  after: boolean;
}[] = [
  { name: "refuses", form: "standard", mode: "http-500", after: false },
  { name: "hangs-up", form: "kiwify", mode: "reset", after: false },
  { name: "answer-lost", form: "hotmart", mode: "http-429", after: true },
];
const SALES = 12;

test("sales told to three receivers that fail at random all arrive, in order, and copies can be told by their id", async () => {
  const { seller, product, bump } = await openShop();
  const webhooks: string[] = [];
  for (const { name, form } of RECEIVERS) webhooks.push(await makeWebhook(seller, { name, form }));
  const saleIds: string[] = [];
  for (let n = 0; n < SALES; n++) {
    const customer = { name: "Bia", email: `b${n}@exemplo.com.br`, phone: null, document: null };
    const bought = await buy(product.id, { customer, bumpIds: n % 2 ? [bump.id] : [] });
    await pay(app, bought);
    saleIds.push(bought.saleId);
  }
  const waiting = () => sql`select 1 from outbox where status = 'queued' and seller_id = ${seller.id}`;
  let rounds = 0;
  await until(
    async () => {
      // Fewer rounds than there are tries: none is given up.
      if (rounds++ < 8)
        for (const { name, mode, after } of RECEIVERS)
          if (Math.random() < 0.7)
            await app.sandbox.fault({
              service: "receiver",
              route: name,
              mode,
              after,
              times: 1 + Math.floor(3 * Math.random()),
            });
      const all = webhooks.flatMap((webhook) => saleIds.map((saleId) => tell(webhook, saleId)));
      await Promise.all(all);
      for (const webhook of webhooks) await makeDue(webhook);
      return (await waiting()).length === 0;
    },
    { seconds: 25, what: "everything to be told" },
  );
  for (const [at, webhook] of webhooks.entries()) {
    const rows =
      await sql`select id, subject_id, status from outbox where destination_id = ${webhook} order by place, part`;
    expect(rows.every(({ status }) => status === "sent")).toBe(true);
    const arrived = (await app.sandbox.arrivals(RECEIVERS[at]!.name)).map(
      ({ headers }) => headers["webhook-id"],
    );
    const firsts = [...new Set(arrived)];
    expect(firsts.length).toBe(rows.length);
    // Of each sale the messages came in the order of what happened.
    for (const saleId of saleIds) {
      const own = rows
        .filter((row) => row.subject_id === saleId)
        .map(({ id }) => `msg_${id.replaceAll("-", "")}`);
      expect(firsts.filter((id) => own.includes(id!))).toEqual(own);
    }
  }
  // With a bump, two messages each for the code and the payment where each thing is an order of its own.
  const [kiwify] = await sql`select count(*)::int as n from outbox where destination_id = ${webhooks[1]!}`;
  expect(kiwify!.n).toBe((SALES / 2) * 2 + (SALES / 2) * 4);
});
