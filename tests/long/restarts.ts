import postgres from "postgres";
import { expect } from "vitest";
import { type OwnPostgres, startPostgres } from "#scripts/postgres.ts";
import { openShopAt } from "#tests/integration/harness/open-shop-at.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { order, sellOne } from "#tests/support/clients/sold-through.ts";
import { until } from "#tests/support/until.ts";

/** Commits survive a crash, as in production. */
const FLAGS = ["synchronous_commit=on"];

/**
 * A shop under traffic whose Postgres is restarted cleanly, then as by a crash, and whose backends are ended by
 * dozens. Every request gets its answer or a 503, no process of ours ends, open PIX pages are notified, and it sells
 * on.
 */
export async function surviveRestarts(
  name: string,
  { fast, immediate, terminations }: Record<"fast" | "immediate" | "terminations", number>,
): Promise<void> {
  const directory = `.cache/${name}-${process.pid}`;
  let database = await startPostgres(directory, { fast: true, flags: FLAGS });
  const { port } = database;
  const slug = await openShopAt(database.url("postgres"));
  const productId = slug.split("-")[1]!;
  const app = await startApp({ worker: 2, databaseUrl: database.url("postgres") });
  const pids = () => [...app.web, ...app.worker].map((process) => process.pid);
  const before = pids();
  const watched = await until(() => order(app.url, productId, "vigia@exemplo.com.br"));
  const [transaction] = await app.sandbox.transactions();
  const received = listenTo(app, watched);
  const traffic = startTraffic(app, productId, slug);
  try {
    for (const how of [...Array(fast).fill("fast"), ...Array(immediate).fill("immediate")]) {
      await traffic.goesOn();
      await database.stop(how);
      database = await startPostgres(directory, { fast: true, port, flags: FLAGS });
      expect(pids()).toEqual(before);
    }
    for (let round = 0; round < terminations; round++) {
      await traffic.goesOn();
      await terminate(database);
    }
    // Its webhook may arrive while nothing listens.
    await app.sandbox.pay(transaction!.id);
    await terminate(database);
    await traffic.goesOn();
  } finally {
    expect(await traffic.stop()).toEqual([]);
  }
  // The rate limit may delay the check for a minute, and failed attempts wait longer each time.
  await until(() => received.has("completed"), { seconds: 240, what: "the open PIX page to be told" }).catch(
    async (error) => {
      const sale = await (await app.fetch(`/api/sales/${watched}`)).text();
      throw new Error(
        `${error.message}: ${sale}\n${app
          .log()
          .slice(-60)
          .map((line) => JSON.stringify(line))
          .join("\n")}`,
      );
    },
  );
  await sellOne(app, productId, "depois@exemplo.com.br");
  expect(pids()).toEqual(before);
  await app.close();
  await database.stop();
}

/** Ends every backend that serves a program of ours. */
async function terminate(database: OwnPostgres) {
  const admin = postgres(database.url("postgres"), { max: 1, onnotice: () => {} });
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'checkintelli%'`;
  await admin.end();
}

/** The events of an open payment page; it reconnects by itself, as browsers do, and never polls. */
function listenTo(app: App, saleId: string): Set<string> {
  const received = new Set<string>();
  const listen = async () => {
    while (app.web[0]!.running) {
      const answer = await app.fetch(`/checkout/pix/${saleId}/events`).catch(() => null);
      if (answer?.status !== 200) await new Promise((later) => setTimeout(later, 100));
      else
        for await (const text of answer.body!.pipeThrough(new TextDecoderStream()))
          for (const [, status] of text.matchAll(/data: (\w+)/g)) received.add(status!);
    }
  };
  void listen().catch(() => {});
  return received;
}

/** Buyers who view, order and view again, as fast as they are answered. */
function startTraffic(app: App, productId: string, slug: string) {
  const bad: string[] = [];
  let served = 0;
  let stopped = false;
  const send = async (path: string, init?: RequestInit) => {
    try {
      const answer = await app.fetch(path, init);
      const text = await answer.text();
      if (answer.status < 500) served += 1;
      else if (answer.status !== 503 || !text) bad.push(`${path}: ${answer.status} ${text.slice(0, 200)}`);
      else if (!answer.headers.has("retry-after") && path !== "/readyz") bad.push(`${path}: no Retry-After`);
      if (answer.status === 503) await new Promise((later) => setTimeout(later, 20));
    } catch (error) {
      bad.push(`${path}: ${(error as Error).cause ?? error}`);
    }
  };
  const buyer = async (number: number) => {
    for (let i = 0; !stopped; i++) {
      const body = {
        product_id: Number(productId),
        customer_name: "Bia Compradora",
        customer_email: `bia-${number}-${i}@exemplo.com.br`,
        customer_phone: "11987654321",
        customer_document: "52998224725",
      };
      await send(`/checkout/s/${slug}`);
      await send("/api/payments/pushinpay", { method: "POST", body: JSON.stringify(body) });
      await send(`/thank-you/${crypto.randomUUID()}`);
      await send("/confirm-email/x");
      await send("/readyz");
    }
  };
  const buyers = Array.from({ length: 6 }, (_, number) => buyer(number));
  return {
    /** Waits until a few more requests were served than now. */
    goesOn: () => {
      const enough = served + 10;
      return until(() => served >= enough, { seconds: 60, what: "requests to be served again" });
    },
    stop: async () => {
      stopped = true;
      await Promise.all(buyers);
      return bad;
    },
  };
}
