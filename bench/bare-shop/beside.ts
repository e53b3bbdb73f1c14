import { freePort } from "#scripts/ports.ts";
import { newBuyer } from "../buyer.ts";
import { cpuOf } from "../cpu.ts";
import { figure, note, written } from "../figure.ts";
import { BUYERS, buy } from "../flow.ts";
import { type Answer, rates, send, sendForm, sendJson } from "../http.ts";
import { memoryOf } from "../memory/resident.ts";
import { addDestinations } from "../purchase-cost.ts";
import type { Stage } from "../stage.ts";

const CHECKOUT = "/checkout/s/curso-de-violao";
/** Purchases whose cost is counted, and those after which the memory is read. */
const COUNTED = 300;
const WARM = 1000;
const GZIP = { headers: { "Accept-Encoding": "gzip" } };

type Shop = {
  name: string;
  url: string;
  sandboxUrl: string;
  /** Processor time of its own processes so far, in milliseconds. */
  cpu: () => number | null;
  /** Waits until nothing is due. */
  idle: () => Promise<void>;
};

/**
 * The product beside the bare shop (`server.ts`), on the same PostgreSQL and sandbox and with the same buyers: whole purchases per
 * second without and with a webhook and a pixel, what a purchase costs each, orders with PIX of the API, the product's JSON beside
 * its cached page, and memory after a thousand purchases.
 */
export async function benchBesideBareShop(stage: Stage): Promise<void> {
  const { sql, url, sandboxUrl } = stage;
  await sql`create extension if not exists pg_stat_statements`;
  const openBare = async (own: Record<string, string>) => {
    const port = await freePort();
    const bareUrl = `http://localhost:${port}`;
    const args = ["--max-semi-space-size=64", "--initial-old-space-size=128", "bench/bare-shop/server.ts"];
    const { pid } = await stage.run(args, port, { SANDBOX_URL: sandboxUrl, ...own });
    return {
      ...{ name: "bare shop", url: bareUrl, sandboxUrl },
      cpu: () => cpuOf(pid!),
      idle: () => untilAllSent(bareUrl),
    };
  };
  const bare: Shop = await openBare({});
  const product: Shop = {
    ...{ name: "product", url, sandboxUrl, idle: stage.idle },
    cpu() {
      const used = stage.cpu();
      return used && used.web! + used.worker!;
    },
  };
  await several(product, WARM);
  note(
    `memory after ${WARM} purchases`,
    `web ${written(memoryOf(stage.webPid()) ?? 0)} MB, worker ${written(memoryOf(stage.workerPid()) ?? 0)} MB`,
  );
  await several(bare, WARM);
  for (const shop of [bare, product]) await costOf(stage, shop);
  await compare("purchases, of the bare shop's", bare, product, 0.5);
  const offer = Number(
    (await sql`select product_id from checkout_slugs where slug = 'curso-de-violao'`)[0]!.product_id,
  );
  await compareRates(
    "orders with PIX by the API, of the bare shop's",
    () => expectStatus(303, sendForm(bare.url + CHECKOUT, newBuyer())),
    () =>
      sendJson(`${url}/api/payments/pushinpay`, { product_id: offer, payment_method: "pix", ...newBuyer() }),
    0.4,
  );
  // Nobody pays these: their checks, due in a minute and a half, would be counted below.
  await sql`update charges set next_check_at = null where status = 'open'`;
  await compareRates(
    "product JSON, of the cached checkout page",
    () => expectStatus(200, send(url + CHECKOUT, GZIP)),
    () => expectStatus(200, send(`${url}/api/checkout/products/s/curso-de-violao`, GZIP)),
    0.6,
  );
  const delivering: Shop = await openBare({ DELIVERS: "1" });
  await addDestinations(stage);
  for (const shop of [delivering, product]) await several(shop, WARM);
  for (const shop of [delivering, product]) await costOf(stage, shop, " with deliveries");
  await compare("purchases with a webhook and a pixel", delivering, product, 0.4);
}

async function compare(name: string, bare: Shop, product: Shop, atLeast: number): Promise<void> {
  await compareRates(
    name,
    () => buy(bare),
    () => buy(product),
    atLeast,
    [bare.idle, product.idle],
  );
}

async function compareRates(
  name: string,
  a: () => Promise<unknown>,
  b: () => Promise<unknown>,
  atLeast: number,
  finish?: (() => Promise<void>)[],
): Promise<void> {
  const [bare, ours] = await rates(a, b, { atOnce: BUYERS, seconds: 6, rounds: 3, finish });
  figure(name, ours / bare, { atLeast }, "", `${written(ours)}/s of ${written(bare)}/s, ${BUYERS} at once`);
}

/** Prints what a purchase costs a shop: statements, WAL, and processor time of its processes and of PostgreSQL. */
async function costOf(stage: Stage, shop: Shop, kind = ""): Promise<void> {
  const { sql } = stage;
  // The first change of a page after a checkpoint writes it to the WAL as a whole: both shops begin alike.
  await sql`checkpoint`;
  await several(shop, 50);
  await sql`select pg_stat_statements_reset()`;
  const accepted = async () => countsOf(await send(`${shop.sandboxUrl}/control/calls`));
  const calls = await accepted();
  const read = async () => {
    const [row] = await sql`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal`;
    return { wal: Number(row!.wal), own: shop.cpu(), postgres: stage.cpu()?.PostgreSQL ?? null };
  };
  const before = await read();
  await several(shop, COUNTED);
  const after = await read();
  const [seen] = await sql`select sum(calls)::float8 as calls from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query not like '%as busy%'`;
  const calledAfter = await accepted();
  const sent = Object.entries(calledAfter).map(
    ([name, count]) => `${written((count - calls[name]!) / COUNTED)} ${name}`,
  );
  const each = (from: number | null, to: number | null) => written(((to ?? 0) - (from ?? 0)) / COUNTED);
  note(
    `a purchase of the ${shop.name}${kind}`,
    `${written(Number(seen!.calls) / COUNTED)} statements, ${each(before.wal / 1000, after.wal / 1000)} kB of WAL, processor ${each(before.own, after.own)} ms and PostgreSQL ${each(before.postgres, after.postgres)} ms; ${sent.join(", ")}`,
  );
}

/** What the stand-ins were sent so far. */
function countsOf({ body }: Answer): Record<string, number> {
  const { resend, ga4, receiver } = JSON.parse(body.toString()) as Record<string, Record<string, number>>;
  const sum = (counts: Record<string, number> = {}) => Object.values(counts).reduce((a, b) => a + b, 0);
  return { mails: sum(resend), pixels: sum(ga4), webhooks: sum(receiver) };
}

async function expectStatus(status: number, sent: Promise<Answer>): Promise<void> {
  const answer = await sent;
  if (answer.status !== status) throw new Error(`${answer.status}, not ${status}: ${answer.body}`);
}

async function untilAllSent(url: string): Promise<void> {
  const end = performance.now() + 60_000;
  while ((await send(`${url}/unsent`)).body.toString() !== "0") {
    if (performance.now() > end) throw new Error("the bare shop left messages unsent");
    await new Promise((later) => setTimeout(later, 20));
  }
}

/** Purchases, and all that follows from them. */
async function several(shop: Shop, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (left-- > 0) await buy(shop);
    }),
  );
  await shop.idle();
}
