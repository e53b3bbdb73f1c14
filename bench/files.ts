import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { PART_BYTES } from "#app/platform/storage/keeper.ts";
import { freePort } from "#scripts/ports.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { order } from "./buyer.ts";
import { cpuOf } from "./cpu.ts";
import { figure, note, percentile, written } from "./figure.ts";
import { paced, rates, send } from "./http.ts";
import { memoryOf } from "./memory.ts";
import { signIn } from "./seller.ts";
import type { Stage } from "./stage.ts";

/** What words such as `readers=500` after `-- files` change. */
const SIZES = {
  /** MB of the file whose way is timed. */
  timed: 128,
  /** MB of the file that many download at once, and how many do. */
  large: 1024,
  readers: 100,
  /** kB that each of them takes in a second. */
  pace: 500,
};
const MB = 1024 * 1024;
const TURNS = { atOnce: 1, seconds: 3, rounds: 3 };
const ROUNDS = 3;
const SECONDS = 8;
/** Milliseconds from one checkout to the next. */
const APART = 80;
const CHECKOUT = "/checkout/s/curso-de-violao";
/** Downloads at once of one purchase: one holds no more than twenty of them. */
const OF_A_SALE = 10;
const agent = new Agent({ keepAlive: true });

type Upload = { id: string; part_size: number; received: number; ready_at: string | null };

/**
 * Files on their way: up and down beside a bare server that does nothing but pour, and what many slow downloads at once
 * cost in memory and make of the checkout.
 */
export async function benchFiles(stage: Stage, asked: ReadonlySet<string> = new Set()): Promise<void> {
  const sizes = { ...SIZES };
  for (const word of asked) {
    const [name, value] = word.split("=");
    if (name! in sizes && Number(value) > 0) sizes[name as keyof typeof sizes] = Number(value);
  }
  const { url, sql, environment } = stage;
  const folder = resolve(environment.DATA_DIR!, "files");
  const headers = await signIn(url);
  const content = randomBytes(sizes.timed * MB);
  const [product] = await sql`select id from products where checkout_slug = 'curso-de-violao'`;
  const announced = { product_id: Number(product!.id), name: "aula.mp4", size: content.length };
  const first = await upload(announced);
  const [item] = await sql`select id from content_items where file_id = ${first}`;
  const place = (id: string) => join(folder, id.slice(0, 2), id);

  const port = await freePort();
  const [given, taken] = [resolve(folder, "floor"), resolve(folder, "floor-taken")];
  writeFileSync(given, content);
  await stage.run(["bench/files-floor.ts", given, taken], port);
  const floor = `http://localhost:${port}/file`;
  await benchWays();
  await benchMany();
  for (const left of [given, taken]) rmSync(left, { force: true });

  async function benchWays(): Promise<void> {
    const [address] = (await downloadsOf(1)) as [string];
    const [bare, ours] = await rates(
      () => take(floor),
      () => take(address),
      TURNS,
    );
    tell("downloads, of a bare server's", bare, ours);
    let before = first;
    const replace = async () => {
      const id = await upload({ ...announced, replaces: item!.id });
      // Else the disk fills: it is kept for whoever is downloading it.
      rmSync(place(before));
      before = id;
    };
    const giveBare = async () => {
      for (let at = 0; at < content.length; at += PART_BYTES)
        await give(`${floor}?offset=${at}`, content.subarray(at, at + PART_BYTES));
    };
    const [bareUp, oursUp] = await rates(giveBare, replace, TURNS);
    tell("uploads, of a bare server's", bareUp, oursUp);
  }

  function tell(name: string, bare: number, ours: number): void {
    const parts = `${written(ours * sizes.timed)} MB/s of ${written(bare * sizes.timed)} MB/s`;
    figure(name, ours / bare, { atLeast: 0.5 }, "", parts);
  }

  async function benchMany(): Promise<void> {
    const [row] = await sql`select file_id from content_items where id = ${item!.id}`;
    // Sparse: the disk need not hold what nobody looks at.
    truncateSync(place(row!.file_id), sizes.large * MB);
    await sql`update files set size = ${sizes.large * MB} where id = ${row!.file_id}`;
    const addresses = await downloadsOf(Math.ceil(sizes.readers / OF_A_SALE));
    const pid = stage.webPid();
    const [rest, busy, grown]: [number[], number[], number[]] = [[], [], []];
    const used = new Map<string, number[]>();
    let came = 0;
    // What the process needs for this work at all it keeps: only what each more of them needs is looked for.
    const few = await openReaders(addresses, Math.ceil(sizes.readers / 10), sizes.pace * 1024);
    await paced(checkout, APART, SECONDS);
    await few.stop();
    for (let round = 0; round < ROUNDS; round++) {
      rest.push(percentile(await paced(checkout, APART, SECONDS), 0.95));
      const before = memoryOf(pid);
      const readers = await openReaders(addresses, sizes.readers, sizes.pace * 1024);
      const peak = watch(() => memoryOf(pid));
      const [had, spent] = [await readers.taken(), spending(readers.pid)];
      busy.push(percentile(await paced(checkout, APART, SECONDS), 0.95));
      for (const [name, share] of spent()) used.set(name, [...(used.get(name) ?? []), share]);
      if (before !== null) grown.push(peak()! - before);
      came = (await readers.taken()) - had;
      await readers.stop();
      if (!(came > 0)) throw new Error("a download broke off");
    }
    const downloads = `${sizes.readers} downloads of ${written(sizes.large)} MB`;
    const rate = `${written(came / SECONDS / MB)} MB/s in all`;
    const rounds = grown.map((mb) => `${written(mb)} MB`).join(", ");
    if (grown.length > 0)
      figure(
        "web's memory, with many downloads at once",
        Math.max(...grown),
        { atMost: 100 },
        " MB",
        `${rounds} more: ${downloads}, ${rate}`,
      );
    note("p95 of each round, in ms", [rest, busy].map((r) => r.map(written).join(" ")).join(" | "));
    // The readers' part is no buyer's machine's here: what they take nobody else has.
    const shares = [...used].map(([name, of]) => `${name} ${written(percentile(of, 0.5))} %`);
    note("of one processor, while they run", shares.join(", "));
    // Each round by itself, so that whatever else the machine does falls on both.
    const slower = busy.map((p95, round) => p95 / rest[round]!);
    figure(
      "checkout's p95 beside them, of that at rest",
      percentile(slower, 0.5),
      { atMost: 3 },
      "",
      `of each round: ${slower.map(written).join(", ")}`,
    );
  }

  /** Looks at what processes spend. @returns what each did until it is asked, in percent of one processor */
  function spending(readers: number): () => [name: string, share: number][] {
    const look = () => ({ ...stage.cpu(), readers: cpuOf(readers) ?? 0, "who buys": ownCpu() });
    const [before, begun] = [new Map(Object.entries(look())), performance.now()];
    return () =>
      Object.entries(look()).map(([name, ms]) => [
        name,
        (100 * (ms - before.get(name)!)) / (performance.now() - begun),
      ]);
  }

  /** The checkout's page, its form, and the PIX screen. @returns how long they took, in milliseconds */
  async function checkout(): Promise<number> {
    const begun = performance.now();
    await send(url + CHECKOUT);
    await order(stage);
    return performance.now() - begun;
  }

  /** Short-lived addresses of the file, as buyers are led to: each of a purchase of its own. */
  async function downloadsOf(count: number): Promise<string[]> {
    const lines = await sql`select l.sale_id, l.id from sale_lines l join sales s on s.id = l.sale_id
      where l.product_id = ${product!.id} and l.kind = 'product' and s.status = 'completed' order by s.created_at desc limit ${count}`;
    if (lines.length < count) throw new Error(`of ${count} purchases there are ${lines.length}`);
    const led = lines.map(async (line) => {
      const answer = await send(`${url}/download/${line.sale_id}/${line.id}?item=${item!.id}`);
      if (answer.status !== 302) throw new Error(`a download was answered with ${answer.status}`);
      return url + answer.headers.location;
    });
    return Promise.all(led);
  }

  /** A whole file in parts, as the desk sends it. @returns its id */
  async function upload(file: { name: string; size: number; product_id: number; replaces?: string }) {
    const json = { ...headers, "Content-Type": "application/json" };
    const begun = await send(`${url}/api/uploads`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(file),
    });
    if (begun.status !== 201) throw new Error(`an upload was answered with ${begun.status}: ${begun.body}`);
    let state: Upload = JSON.parse(begun.body.toString());
    while (!state.ready_at) {
      const { id, received, part_size } = state;
      const part = content.subarray(received, received + part_size);
      state = JSON.parse(await give(`${url}/api/uploads/${id}?offset=${received}`, part, headers));
    }
    return state.id;
  }
}

/** Milliseconds of processor time that this process has used. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Many downloads in a process of their own, all begun: in turn of these addresses. */
async function openReaders(urls: string[], count: number, bytesPerSecond: number) {
  const child = fork("bench/slow-readers.ts", [String(count), String(bytesPerSecond), ...urls]);
  const gone = once(child, "exit");
  const told = () => Promise.race([once(child, "message"), gone.then(() => [null])]);
  if ((await told())[0] !== "begun") throw new Error("downloads did not begin");
  return {
    pid: child.pid!,
    /** Bytes so far; NaN where one broke off. */
    async taken(): Promise<number> {
      child.send("taken");
      return Number((await told())[0] ?? Number.NaN);
    },
    async stop() {
      child.kill();
      await gone;
    },
  };
}

/** Sends bytes. @returns what was answered */
function give(to: string, bytes: Buffer, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((done, fail) => {
    const own = { "X-Forwarded-For": newAddress(), "Content-Length": bytes.length, ...headers };
    const sent = request(to, { method: "PUT", headers: own, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => {
        if (answer.statusCode === 200) done(text);
        else fail(new Error(`bytes were answered with ${answer.statusCode}: ${text}`));
      });
    });
    sent.on("error", fail);
    sent.end(bytes);
  });
}

/** Downloads a file and keeps nothing of it. */
function take(from: string): Promise<void> {
  return new Promise((done, fail) => {
    const sent = request(from, { headers: { "X-Forwarded-For": newAddress() }, agent }, (answer) => {
      if (answer.statusCode !== 200) fail(new Error(`a download was answered with ${answer.statusCode}`));
      answer.on("error", fail).on("end", done).resume();
    });
    sent.on("error", fail);
    sent.end();
  });
}

/** Looks often until it is asked. @returns how to end it and be told the most that was seen; null where nothing was */
function watch(look: () => number | null): () => number | null {
  let most = look();
  const clock = setInterval(() => {
    const now = look();
    if (now !== null) most = Math.max(most ?? 0, now);
  }, 100);
  return () => {
    clearInterval(clock);
    return most;
  };
}
