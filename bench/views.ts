import { fork } from "node:child_process";
import { once } from "node:events";
import { splitBy } from "#app/db/schema/funnel.server.ts";
import { DESK, PHONE } from "#tests/support/clients/agents.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { figure, note, percentile, written } from "./figure.ts";
import { rate } from "./http.ts";
import { arriving, Lean } from "./lean.ts";
import type { Stage } from "./stage.ts";

const BY_DEVICE = splitBy({ device: true });
const CHECKOUT = "/checkout/s/curso-de-violao";
const ROUNDS = 5;
const SECONDS = 5;
/** One buyer opens the page so often, in milliseconds. */
const APART = 20;

/**
 * Whether counting views slows the checkout: its p95 for one buyer at half of the views a second that this machine serves,
 * each with what its script tells, of its p95 at rest; measured in turns, so that whatever else the machine does falls on
 * both.
 */
export async function benchViews({ url, sql }: Stage): Promise<void> {
  const seen = async () => {
    const [row] =
      await sql`select coalesce(sum(seen), 0)::int as seen from funnel_views where split = ${BY_DEVICE}`;
    return row!.seen as number;
  };
  const before = await seen();
  let told = 0;
  const server = new Lean(url);
  const headersOf = (agent: string) =>
    `Host: ${new URL(url).host}\r\nX-Forwarded-For: ${newAddress()}\r\nUser-Agent: ${agent}\r\nAccept-Encoding: gzip\r\n`;

  /** The page alone. */
  async function page(headers = headersOf(PHONE), campaign = "nenhuma"): Promise<void> {
    const path = `${CHECKOUT}?utm_source=bench&utm_campaign=${campaign}`;
    const status = await server.ask(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    if (status !== 200) throw new Error(`the page was answered with ${status}`);
  }

  /** One view as a browser makes it: the page, and then that it was seen. */
  async function view(): Promise<void> {
    const [agent, campaign] = [told % 4 ? PHONE : DESK, `campanha-${told % 40}`];
    const headers = headersOf(agent!);
    await page(headers, campaign);
    const body = `seen${CHECKOUT}?utm_source=bench&utm_campaign=${campaign}`;
    const length = `Content-Length: ${body.length}\r\n`;
    const status = await server.ask(`POST /checkout/visita HTTP/1.1\r\n${headers}${length}\r\n${body}`);
    if (status !== 204) throw new Error(`a view was answered with ${status}`);
    told++;
  }

  await rate(view, 16, 2);
  const most = await rate(view, 16, SECONDS);
  const buyer = fork("bench/one-buyer.ts", [url + CHECKOUT, String(APART)]);
  /** What one buyer waits, while `load` is made at half of what the machine serves. */
  const waits = async (load?: () => Promise<void>): Promise<number> => {
    const made = load && arriving(load, most / 2, SECONDS);
    buyer.send(SECONDS);
    const [taken] = (await once(buyer, "message")) as [number[]];
    await made;
    return percentile(taken, 0.95);
  };
  // Both are warm at this pace.
  await waits(view);
  const rest: number[] = [];
  const half: number[] = [];
  const untold: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rest.push(await waits());
    half.push(await waits(view));
    untold.push(await waits(page));
  }
  buyer.disconnect();
  server.close();
  const [resting, busy, quiet] = [rest, half, untold].map((rounds) => percentile(rounds, 0.5)) as [
    number,
    number,
    number,
  ];
  note("p95 of each round, in ms", [rest, half, untold].map((r) => r.map(written).join(" ")).join(" | "));
  figure(
    "checkout's p95 at half load, of that at rest",
    busy / resting,
    { atMost: 1.5 },
    "",
    `${written(busy)} ms of ${written(resting)} ms, at ${written(most / 2)} views/s of ${written(most)}`,
  );
  note("p95 with as many pages, and nothing told", `${written(quiet)} ms`);
  await counted();
  note("views counted", `${written(told)}, each once`);

  async function counted(): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      if ((await seen()) - before === told) return;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error("views were lost, or counted twice");
  }
}
