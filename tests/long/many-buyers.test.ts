import { expect, test } from "vitest";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import type { AnswerTimes } from "#tests/support/clients/sandbox.ts";
import { order } from "#tests/support/clients/sold-through.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

type Delivery = { attempts: { status: number | null }[] };

const BUYERS = 300;

test("three hundred buyers at once who click 'Já paguei': the provider refuses no check, each is booked once", {
  timeout: 400_000,
}, async () => {
  const app = await startApp({ web: 2, worker: 2 });
  const { product } = await openShop();
  const urls = app.web.map(({ url }) => url);
  const urlOf = (buyer: number) => urls[buyer % urls.length]!;
  const buyers = Array.from({ length: BUYERS }, (_, buyer) => buyer);

  const saleIds = await Promise.all(
    buyers.map((buyer) =>
      until(() => order(urlOf(buyer), product.id, `b${buyer}@exemplo.com.br`), { seconds: 90 }),
    ),
  );
  const charges = await sql<{ id: string; provider_id: string }[]>`
    select id, provider_id from charges where sale_id in ${sql(saleIds)}`;
  expect(charges).toHaveLength(BUYERS);

  // 'Já paguei' is clicked before the payment, twice each: the rate limit of a minute closes.
  const submit = (buyer: number) =>
    fetch(`${urlOf(buyer)}/api/payments/pushinpay/status/${charges[buyer]!.id}?ask=1`, {
      headers: { "X-Forwarded-For": newAddress() },
    }).then((answer) => answer.arrayBuffer());
  await Promise.all(
    [...buyers, ...buyers].map((buyer) => until(async () => Boolean(await submit(buyer)), { seconds: 60 })),
  );

  // All pay at once, the webhooks arrive at once, and the button is clicked repeatedly until all is booked.
  await Promise.all(charges.map(({ provider_id }) => app.sandbox.pay(provider_id)));
  await until(
    async () => {
      await Promise.all(
        buyers.filter((buyer) => buyer % 10 === 0).map((buyer) => submit(buyer).catch(() => null)),
      );
      const [row] = await sql`select count(*)::int as left from sales where status <> 'completed'`;
      return row!.left === 0;
    },
    { seconds: 240, every: 2000, what: "every sale to be completed" },
  );

  // How many were answered after the two seconds the provider waits depends on what else this machine does, where
  // shop,
  // workers, provider and buyers share it: that is reported. None may be given up.
  const { answers, deliveries } = await until(
    async () => {
      const sent = await app.sandbox.get<{ answers: AnswerTimes; deliveries: Delivery[] }>("/webhooks");
      return sent.deliveries.every(({ attempts }) => attempts.at(-1)?.status === 200) ? sent : null;
    },
    { seconds: 30, what: "every webhook to be answered" },
  );
  console.log("webhooks at once:", JSON.stringify(answers));
  // Without the provider's own waiting for this machine.
  const own = app
    .log()
    .filter(({ msg, route }) => msg === "request" && String(route).startsWith("/api/webhooks/"))
    .map(({ ms }) => Number(ms))
    .sort((a, b) => a - b);
  console.log(
    "in the web, p50, p95, slowest:",
    ...[0.5, 0.95, 1].map((part) => own[Math.ceil(own.length * part) - 1]),
  );
  expect(deliveries).toHaveLength(BUYERS);
  const refused = await sql`select 1 from charge_events where kind = 'unanswered' and data->>'why' = 'busy'`;
  expect(refused).toHaveLength(0);
  const [booked] = await sql`select count(*)::int as facts, count(distinct charge_id)::int as charges
    from charge_events where kind = 'paid'`;
  expect(booked).toEqual({ facts: BUYERS, charges: BUYERS });
  const [mails] = await sql`select count(*)::int as count from mails where kind = 'purchase'`;
  expect(mails!.count).toBe(BUYERS);
  await app.close();
});
