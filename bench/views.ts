import { fork } from "node:child_process";
import { once } from "node:events";
import { splitBy } from "#app/db/schema/funnel.server.ts";
import { DESKTOP, newAddress, PHONE } from "#tests/support/clients/client-address.ts";
import { figure, note, percentile, written } from "./figure.ts";
import { rate } from "./http.ts";
import { arriving, Lean } from "./lean.ts";
import type { Stage } from "./stage.ts";

const BY_DEVICE = splitBy({ device: true });
const CHECKOUT = "/checkout/s/curso-de-violao";
const ROUNDS = 5;
const SECONDS = 5;
/** Milliseconds between one buyer's page openings. */
const INTERVAL = 20;

/**
 * Whether counting views slows the checkout: one buyer's p95 at half of the views per second that this machine serves, each
 * with its script's report, relative to the p95 at rest; measured alternately, so that other load on the machine affects
 * both.
 */
export async function benchViews({ url, sql }: Stage): Promise<void> {
  const seen = async () => {
    const [row] =
      await sql`select coalesce(sum(seen), 0)::int as seen from funnel_views where split = ${BY_DEVICE}`;
    return row!.seen as number;
  };
  const before = await seen();
  let count = 0;
  const server = new Lean(url);
  const headersOf = (agent: string) =>
    `Host: ${new URL(url).host}\r\nX-Forwarded-For: ${newAddress()}\r\nUser-Agent: ${agent}\r\nAccept-Encoding: gzip\r\n`;

  /** The page alone. */
  async function page(headers = headersOf(PHONE), campaign = "nenhuma"): Promise<void> {
    const path = `${CHECKOUT}?utm_source=bench&utm_campaign=${campaign}`;
    const status = await server.send(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    if (status !== 200) throw new Error(`the page was answered with ${status}`);
  }

  /** One view as a browser makes it: the page, then its report of having been seen. */
  async function view(): Promise<void> {
    const [agent, campaign] = [count % 4 ? PHONE : DESKTOP, `campanha-${count % 40}`];
    const headers = headersOf(agent!);
    await page(headers, campaign);
    const body = `seen${CHECKOUT}?utm_source=bench&utm_campaign=${campaign}`;
    const length = `Content-Length: ${body.length}\r\n`;
    const status = await server.send(`POST /checkout/visita HTTP/1.1\r\n${headers}${length}\r\n${body}`);
    if (status !== 204) throw new Error(`a view was answered with ${status}`);
    count++;
  }

  await rate(view, 16, 2);
  const most = await rate(view, 16, SECONDS);
  const buyer = fork("bench/one-buyer.ts", [url + CHECKOUT, String(INTERVAL)]);
  /** One buyer's waits while `load` runs at half of what the machine serves. */
  const waits = async (load?: () => Promise<void>): Promise<number> => {
    const made = load && arriving(load, most / 2, SECONDS);
    buyer.send(SECONDS);
    const [taken] = (await once(buyer, "message")) as [number[]];
    await made;
    return percentile(taken, 0.95);
  };
  // Warm up both at this pace.
  await waits(view);
  const rest: number[] = [];
  const half: number[] = [];
  const pagesOnly: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rest.push(await waits());
    half.push(await waits(view));
    pagesOnly.push(await waits(page));
  }
  buyer.disconnect();
  server.close();
  const [resting, busy, quiet] = [rest, half, pagesOnly].map((rounds) => percentile(rounds, 0.5)) as [
    number,
    number,
    number,
  ];
  note("p95 of each round, in ms", [rest, half, pagesOnly].map((r) => r.map(written).join(" ")).join(" | "));
  figure(
    "checkout's p95 at half load, of that at rest",
    busy / resting,
    { atMost: 1.5 },
    "",
    `${written(busy)} ms of ${written(resting)} ms, at ${written(most / 2)} views/s of ${written(most)}`,
  );
  note("p95 with as many pages, without their reports", `${written(quiet)} ms`);
  await counted();
  note("views counted", `${written(count)}, each once`);

  async function counted(): Promise<void> {
    for (let attempts = 0; attempts < 100; attempts++) {
      if ((await seen()) - before === count) return;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error("views were lost, or counted twice");
  }
}
