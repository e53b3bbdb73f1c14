import { expect, test } from "vitest";
import { saveRefundsOverpayments } from "#app/domain/refund/refunds-overpayments.server.ts";
import { paths } from "#app/kit/paths.ts";
import { cardShop, cardToken } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import type { Fault } from "#tests/support/clients/sandbox.ts";
import { order } from "#tests/support/clients/sold-through.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const BUYERS = Number(process.env.BUYERS ?? 400);
const AT_ONCE = 8;

const app = await startApp({ web: 2, worker: 2 });
await app.sandbox.gate({ enabled: false });
const { seller, product } = await cardShop();
await makeGateway(seller, { provider: "woovi", apiKey: `sandbox-${crypto.randomUUID()}`, position: 1 });
await saveRefundsOverpayments(seller.id, true);

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How providers misbehave, by the route that it concerns. */
const FAULTS: Fault[] = [
  { service: "mercadopago", route: "create", mode: "reset", after: true },
  { service: "mercadopago", route: "create", mode: "http-500", after: true },
  { service: "mercadopago", route: "create", mode: "malformed", after: true },
  { service: "mercadopago", route: "create", mode: "reset" },
  { service: "mercadopago", route: "create", mode: "slow-3000" },
  { service: "mercadopago", mode: "http-429", times: 4 },
  { service: "pushinpay", route: "cashIn", mode: "reset", after: true, times: 2 },
  { service: "pushinpay", route: "cashIn", mode: "http-500", times: 6 },
  { service: "pushinpay", route: "cashIn", mode: "slow-5000" },
  { service: "pushinpay", route: "transaction", mode: "malformed", times: 2 },
  { service: "pushinpay", route: "refund", mode: "reset", after: true },
  { service: "woovi", route: "create", mode: "reset", after: true },
  { service: "woovi", route: "refund", mode: "http-429" },
];

/** Processes are killed or frozen, one at a time, until `isOver`. */
async function disturbProcesses(isOver: () => boolean): Promise<{ killed: number; frozen: number }> {
  const done = { killed: 0, frozen: 0 };
  while (!isOver()) {
    const victim = pick([...app.web, ...app.worker]);
    if (Math.random() < 0.6) {
      await victim.kill();
      await victim.start();
      done.killed++;
    } else {
      process.kill(victim.pid!, "SIGSTOP");
      await pause(2500);
      process.kill(victim.pid!, "SIGCONT");
      done.frozen++;
    }
  }
  return done;
}

/** Providers fail in some way several times a second, until `isOver`. */
async function disturbProviders(isOver: () => boolean): Promise<{ faults: number }> {
  let faults = 0;
  for (; !isOver(); faults++) {
    await app.sandbox.fault(pick(FAULTS));
    await pause(250);
  }
  return { faults };
}

const anyWeb = () => pick(app.web).url;

/** What the buyer's browser does: sends the form, and looks at the page again where no answer came. */
async function payByCard(saleId: string, client: string): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const headers = { "x-forwarded-for": client };
    const page = await fetch(anyWeb() + paths.card(saleId), { headers, redirect: "manual" }).catch(
      () => null,
    );
    const html = page?.status === 200 ? await page.text() : "";
    // Paid, in review or being confirmed: nothing asks for a card.
    if (!html.includes('name="holder_document"')) {
      if (page && page.status < 500) return;
      await pause(500);
      continue;
    }
    const name = pick(["APRO", "APRO", "OTHE", "CONT"]);
    const body = new URLSearchParams({
      ...{ token: await cardToken(app, name), brand: "visa", instalments: "1", device_id: "aparelho" },
      ...{ holder_name: `${name} Souza`, holder_document: "123.456.789-09" },
    });
    const send = () =>
      fetch(anyWeb() + paths.card(saleId), { method: "POST", body, headers, redirect: "manual" }).catch(
        () => null,
      );
    // Some press twice, in two tabs.
    await Promise.all(Math.random() < 0.3 ? [send(), send()] : [send()]);
  }
}

/** Pays codes of an order, as whoever has them may: the newest one, or all of them. */
async function payByPix(saleId: string, isAll: boolean): Promise<void> {
  const codes = await sql`select provider_id from charges where sale_id = ${saleId} and method = 'pix'
    and provider_id is not null order by created_at desc`;
  for (const { provider_id } of isAll ? codes : codes.slice(0, 1))
    await app.sandbox.pay(provider_id).catch(() => {});
}

/** Asks for another code once the first one has expired on the page, which may be another provider's. */
async function expireAndAskAgain(saleId: string, client: string): Promise<void> {
  await sql`update charges set expires_at = now() - interval '1 minute' where sale_id = ${saleId} and method = 'pix'`;
  await fetch(`${anyWeb()}${paths.pix(saleId)}`, {
    method: "POST",
    headers: { "x-forwarded-for": client },
    body: new URLSearchParams({ intent: "again" }),
    redirect: "manual",
  }).catch(() => null);
}

async function buy(number: number): Promise<void> {
  const client = newAddress();
  const email = `bia-${number}@exemplo.com.br`;
  const saleId = await until(() => order(anyWeb(), product.id, email, client), { seconds: 120, every: 500 });
  const plan = pick(["pix", "card", "card", "both", "codes"] as const);
  if (plan === "pix") await payByPix(saleId, false);
  if (plan === "card") await payByCard(saleId, client);
  if (plan === "both") await Promise.all([payByCard(saleId, client), payByPix(saleId, true)]);
  if (plan === "codes") {
    await expireAndAskAgain(saleId, client);
    await payByPix(saleId, true);
  }
}

/** What is undecided becomes decided, as hours later: reviews end, checks are due, lost cards are denied or found. */
async function letHoursPass(): Promise<void> {
  for (const { id, status, card } of await app.sandbox.get<{ id: string; status: string; card: unknown }[]>(
    "/transactions",
  ))
    if (card && status === "created")
      await app.sandbox.decideCard(id, pick(["approve", "decline"])).catch(() => {});
  await sql`update charges set created_at = created_at - interval '20 minutes', last_checked_at = null,
    next_check_at = case when status not in ('declined', 'failed') then now() end where seller_id = ${seller.id}
    and (status not in ('paid', 'mispaid') or exists (select from refunds r where r.charge_id = charges.id and r.status = 'pending'))`;
  await sql`update refunds set send_at = now() where send_at is not null`;
}

type Sold = {
  id: string;
  sale: string;
  provider_id: string | null;
  status: string;
  extra: boolean;
  back: number;
  cents: number;
};

const readBooks = () => sql<Sold[]>`
  select c.id, c.sale_id as sale, c.provider_id, c.status, c.overpaid_at is not null as extra, coalesce(c.paid_cents, 0) as cents,
    (select coalesce(sum(amount_cents), 0)::int from refunds r where r.charge_id = c.id and r.status = 'done') as back
  from charges c where c.seller_id = ${seller.id}`;

/** Where our books are not the providers', or money that was paid twice is not back: a line each. */
async function findDifferences(): Promise<string[]> {
  const [books, theirs] = [await readBooks(), await app.sandbox.transactions()];
  const wrong: string[] = [];
  for (const { id, status, value, refunds, provider } of theirs) {
    if (status !== "paid" && status !== "refunded") continue;
    const ours = books.filter(({ provider_id }) => provider_id?.toLowerCase() === id.toLowerCase());
    const back = refunds.filter((one) => one.status === "confirmed").reduce((sum, one) => sum + one.cents, 0);
    if (ours.length !== 1 || ours[0]!.status !== "paid")
      wrong.push(`${provider} ${id} was paid, our books say ${JSON.stringify(ours)}`);
    else if (ours[0]!.cents !== value || ours[0]!.back !== back)
      wrong.push(
        `${provider} ${id}: ${value} came and ${back} went back, our books have ${ours[0]!.cents} and ${ours[0]!.back}`,
      );
  }
  for (const charge of books) {
    if (["creating", "unknown", "in_review"].includes(charge.status))
      wrong.push(`charge ${charge.id} is ${charge.status}`);
    if (charge.extra && charge.back !== charge.cents)
      wrong.push(`charge ${charge.id} was paid twice and is not back`);
  }
  const sales = Map.groupBy(books, ({ sale }) => sale);
  for (const [sale, charges] of sales) {
    const counting = charges.filter(({ status, extra }) => status === "paid" && !extra);
    if (counting.length > 1) wrong.push(`sale ${sale} has ${counting.length} payments`);
  }
  return wrong;
}

test(`${BUYERS} buyers with cards and codes, while processes die and freeze and three providers misbehave`, {
  timeout: 30 * 60_000,
}, async () => {
  let isOver = false;
  const disturbances = Promise.all([disturbProcesses(() => isOver), disturbProviders(() => isOver)]);
  const numbers = Array.from({ length: BUYERS }, (_, number) => number);
  const buyer = async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) await buy(number);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, buyer));
  isOver = true;
  const [processes, faults] = await disturbances;
  for (const service of ["mercadopago", "pushinpay", "woovi"] as const) await app.sandbox.endFaults(service);
  await until(
    async () => {
      await letHoursPass();
      await pause(2000);
      const wrong = await findDifferences();
      if (wrong.length > 0) throw new Error(`${wrong.length} differences: ${wrong.slice(0, 5).join("; ")}`);
      return true;
    },
    { seconds: 180, what: "our books to be the providers', and every second payment to be back" },
  );
  const books = await readBooks();
  const paid = books.filter(({ status }) => status === "paid");
  const [sales] =
    await sql`select count(*)::int as all, count(*) filter (where status = 'completed')::int as completed
    from sales where seller_id = ${seller.id}`;
  const mails = await sql`select sale_id from mails where seller_id = ${seller.id} and kind = 'purchase'`;
  expect(mails.length).toBe(sales!.completed);
  expect(paid.filter(({ extra }) => !extra).length).toBe(sales!.completed);
  const summary = {
    ...processes,
    ...faults,
    completed: sales!.completed as number,
    paid: paid.length,
    extra: paid.filter(({ extra }) => extra).length,
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  expect(summary.completed, JSON.stringify(summary)).toBeGreaterThan(BUYERS / 3);
  expect(summary.extra, JSON.stringify(summary)).toBeGreaterThan(0);
});
