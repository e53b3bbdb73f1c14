import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PageForm } from "#tests/support/clients/page-forms.ts";
import { newBuyer } from "../buyer.ts";
import { figure, missed, note, print, written } from "../figure.ts";
import { send, sendForm } from "../http.ts";
import { memoryOf } from "../memory/resident.ts";
import type { Stage } from "../stage.ts";
import { type Bought, buyFor, LONGEST_WAIT, p95Of } from "./buying.ts";
import type { Answers, Order } from "./flooder.ts";
import { filled, floodRows, formsByPath, type Row } from "./rows.ts";
import type { Shop } from "./shop.ts";
import { HEAD, line, markdown, nameOf, type Result, ratioOf, waitOf, worstFirst } from "./table.ts";

const AT_ONCE = 20;
const AIM = 5;
/** Memory limit per process, in MB: docs/operations.md. */
const MOST_MEMORY = { web: 512, worker: 512 };
/** MB that the storage may hold after all floods: strangers store nothing, a seller at most their quota. */
const MOST_FILES = 1024;
/** Floods between two measurements at rest; the last three measurements count. */
const REST_EVERY = 6;
const RESTS = 3;
/** How long to wait for work left over from a flood, in milliseconds. */
const SETTLE = 10_000;

const KINDS = ["one", "many", "seller"] as const;
type Kind = (typeof KINDS)[number];

/**
 * How buyers of another seller fare while each row of the route table is flooded. Arguments: parts of URLs (none: all),
 * `seconds=5`, `kinds=one,many,seller`, `out=<file>` to write the table as markdown.
 */
export async function benchFlood(stage: Stage, args: Set<string>): Promise<void> {
  const { seconds, kinds, out, parts } = readArguments(args);
  const shop = await openShop(stage);
  const rows = (await floodRows()).filter(
    ({ address }) => parts.length === 0 || parts.some((part) => address.includes(part)),
  );
  const forms = {
    stranger: await formsByPath(stage.url, shop, ""),
    seller: await formsByPath(stage.url, shop, shop.cookies.seller),
  };
  const flooder = fork("bench/flood/flooder.ts", {
    env: stage.environment as NodeJS.ProcessEnv,
    detached: true,
  });
  // Warm up: a process's first requests are slow.
  await buyFor(stage, shop, 5);
  const rests: Bought[] = [];
  const results: Result[] = [];
  print(HEAD);
  try {
    for (const row of rows)
      for (const kind of kinds) {
        if (results.length % REST_EVERY === 0) rests.push(await buyFor(stage, shop, Math.max(seconds, 3)));
        const rest = p95Of(rests.slice(-RESTS));
        const result = await floodRow(stage, flooder, orderOf(row, kind), kind, rest);
        results.push(result);
        print(line(result));
        await settle(stage);
      }
  } finally {
    flooder.kill();
  }
  printResults(results, rests);
  if (out) writeFileSync(out, markdown(results));

  function orderOf(row: Row, kind: Kind): Order {
    const isSeller = kind === "seller";
    const { cookies } = shop;
    const isLeaving = row.address.endsWith("logout");
    // A visitor who has bought once and can open that purchase.
    const cookie = isSeller ? (isLeaving ? cookies.leaving : cookies.seller) : cookies.buyer;
    const path = filled(row.address, shop.params);
    const own: PageForm[] = forms[isSeller ? "seller" : "stranger"].get(path) ?? [];
    const needsCookie = isSeller || /:saleId|minhas-compras/.test(row.address);
    const addresses = kind === "many" ? 200 : 1;
    return {
      url: stage.url,
      row,
      shop,
      forms: own,
      cookie: needsCookie ? cookie : "",
      addresses,
      atOnce: AT_ONCE,
      seconds,
    };
  }
}

function readArguments(args: Set<string>) {
  const named = (name: string) => [...args].find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  const kinds = named("kinds")?.split(",") ?? KINDS;
  return {
    seconds: Number(named("seconds") ?? 5),
    kinds: KINDS.filter((kind) => kinds.includes(kind)),
    out: named("out"),
    parts: [...args].filter((arg) => !arg.includes("=")),
  };
}

async function openShop({ environment, url }: Stage): Promise<Shop> {
  const opener = fork("bench/flood/shop.ts", { env: environment as NodeJS.ProcessEnv });
  const [shop] = (await once(opener, "message")) as [Shop];
  const answer = await send(`${url}/api/users/me`, { headers: { Cookie: shop.cookies.seller } });
  if (answer.status !== 200) throw new Error(`the seller is not signed in: ${answer.status}`);
  const order = await sendForm(`${url}/checkout/s/${shop.params.slug}`, newBuyer());
  const openSaleId = order.headers.location?.split("/").at(-1)?.split("?", 1)[0];
  if (!openSaleId) throw new Error(`the flooded shop takes no order: ${order.status}`);
  return { ...shop, params: { ...shop.params, openSaleId } };
}

async function floodRow(
  stage: Stage,
  flooder: ChildProcess,
  order: Order,
  kind: Kind,
  rest: Result["rest"],
): Promise<Result> {
  const answered = once(flooder, "message") as Promise<[Answers]>;
  flooder.send(order);
  const memory = watchMemory(stage);
  const before = stage.cpu();
  const bought = await buyFor(stage, order.shop, order.seconds);
  const [answers] = await answered;
  const after = stage.cpu();
  const [size] = await stage.sql`select pg_database_size(current_database()) as bytes`;
  return {
    ...{ row: order.row, kind, seconds: order.seconds, answers, bought, rest },
    cpu: after &&
      before && { web: after.web! - before.web!, postgres: after.PostgreSQL! - before.PostgreSQL! },
    memory: memory.peak(),
    storage: bytesIn(stage.environment.DATA_DIR!),
    database: Number(size!.bytes),
  };
}

/** Peak memory of web and worker, in MB. */
function watchMemory(stage: Stage) {
  const peak = { web: 0, worker: 0 };
  const sample = () => {
    peak.web = Math.max(peak.web, memoryOf(stage.webPid()) ?? 0);
    peak.worker = Math.max(peak.worker, memoryOf(stage.workerPid()) ?? 0);
  };
  const timer = setInterval(sample, 200);
  return {
    peak() {
      clearInterval(timer);
      sample();
      return peak;
    },
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Waits until the worker has finished the work left over from the flood, so that the next row is not measured with it. */
async function settle({ sql }: Stage): Promise<void> {
  for (const end = performance.now() + SETTLE; performance.now() < end; ) {
    const [row] = await sql`select exists (select from graphile_worker.jobs where run_at <= now())
      or exists (select from charges where next_check_at <= now())
      or exists (select from queued_mails where scheduled_at <= now() + interval '1 second')
      or exists (select from deliveries where status = 'queued' and scheduled_at <= now() + interval '1 second') as busy`;
    if (!row!.busy) return;
    await new Promise((later) => setTimeout(later, 50));
  }
}

function printResults(results: Result[], rests: Bought[]): void {
  const { page, order, pix } = p95Of(rests);
  note("at rest, p95", `page ${written(page)} ms, order ${written(order)} ms, PIX ${written(pix)} ms`);
  const sorted = worstFirst(results);
  print(`\nthe worst ten\n${HEAD}`);
  for (const result of sorted.slice(0, 10)) print(line(result));
  print("");
  const most = (of: (result: Result) => number) => Math.max(...results.map(of));
  figure("buyers under the worst flood", most(ratioOf), { atMost: AIM }, " times", nameOf(sorted[0]!));
  figure("another seller's work waits", most(waitOf), { atMost: LONGEST_WAIT }, " s");
  for (const name of ["web", "worker"] as const)
    figure(
      `memory of the ${name}`,
      most(({ memory }) => memory[name]),
      { atMost: MOST_MEMORY[name] },
      " MB",
    );
  figure("files kept", most(({ storage }) => storage) / 1e6, { atMost: MOST_FILES }, " MB");
  figure(
    "buyers refused",
    most(({ bought }) => bought.refused.length),
    { atMost: 0 },
  );
  for (const result of sorted.filter((one) => ratioOf(one) > AIM)) missed.push(nameOf(result));
}
