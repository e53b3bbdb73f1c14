import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { MAX_PART_BYTES } from "#app/platform/storage/blob-store.ts";
import { freePort } from "#scripts/ports.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { order } from "./buyer.ts";
import { cpuOf } from "./cpu.ts";
import { figure, note, percentile, written } from "./figure.ts";
import { paced, rates, send } from "./http.ts";
import { memoryOf } from "./memory/resident.ts";
import { signIn } from "./seller.ts";
import type { Stage } from "./stage.ts";

/** Defaults that arguments such as `readers=500` after `-- files` override. */
const SIZES = {
  /** MB of the file whose transfer is timed. */
  timed: 128,
  /** MB of the file that many clients download at once, and how many clients. */
  large: 1024,
  readers: 100,
  /** kB per second that each of them reads. */
  pace: 500,
};
const MB = 1024 * 1024;
const RATE_OPTIONS = { atOnce: 1, seconds: 3, rounds: 3 };
const ROUNDS = 3;
const SECONDS = 8;
/** Milliseconds between checkouts. */
const CHECKOUT_INTERVAL = 80;
const CHECKOUT = "/checkout/s/curso-de-violao";
/** Simultaneous downloads per purchase, below the app's limit of twenty. */
const PER_SALE = 10;
const agent = new Agent({ keepAlive: true });

type Upload = { id: string; part_size: number; received: number; ready_at: string | null };

/**
 * File transfers: uploads and downloads compared with a bare streaming server, and the effect of many slow downloads on
 * memory and on the checkout.
 */
export async function benchFiles(stage: Stage, args: ReadonlySet<string> = new Set()): Promise<void> {
  const sizes = { ...SIZES };
  for (const arg of args) {
    const [name, value] = arg.split("=");
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
  const pathOf = (id: string) => join(folder, id.slice(0, 2), id);

  const port = await freePort();
  const [source, target] = [resolve(folder, "floor"), resolve(folder, "floor-taken")];
  writeFileSync(source, content);
  await stage.run(["bench/files-floor.ts", source, target], port);
  const baseline = `http://localhost:${port}/file`;
  await benchTransfers();
  await benchMany();
  for (const file of [source, target]) rmSync(file, { force: true });

  async function benchTransfers(): Promise<void> {
    const [address] = (await downloadsOf(1)) as [string];
    const [bare, ours] = await rates(
      () => download(baseline),
      () => download(address),
      RATE_OPTIONS,
    );
    printRatio("downloads, of a bare server's", bare, ours);
    let before = first;
    const replace = async () => {
      const id = await upload({ ...announced, replaces: item!.id });
      // Otherwise the disk fills up: a replaced file stays for clients that are still downloading it.
      rmSync(pathOf(before));
      before = id;
    };
    const uploadBare = async () => {
      for (let at = 0; at < content.length; at += MAX_PART_BYTES)
        await put(`${baseline}?offset=${at}`, content.subarray(at, at + MAX_PART_BYTES));
    };
    const [bareUp, oursUp] = await rates(uploadBare, replace, RATE_OPTIONS);
    printRatio("uploads, of a bare server's", bareUp, oursUp);
  }

  function printRatio(name: string, bare: number, ours: number): void {
    const parts = `${written(ours * sizes.timed)} MB/s of ${written(bare * sizes.timed)} MB/s`;
    figure(name, ours / bare, { atLeast: 0.5 }, "", parts);
  }

  async function benchMany(): Promise<void> {
    const [row] = await sql`select file_id from content_items where id = ${item!.id}`;
    // Sparse: content that nobody reads needs no disk space.
    truncateSync(pathOf(row!.file_id), sizes.large * MB);
    await sql`update files set size = ${sizes.large * MB} where id = ${row!.file_id}`;
    const addresses = await downloadsOf(Math.ceil(sizes.readers / PER_SALE));
    const pid = stage.webPid();
    const [rest, busy, grown]: [number[], number[], number[]] = [[], [], []];
    const used = new Map<string, number[]>();
    let came = 0;
    // Warm up: memory that the process needs for any download stays allocated, and only the growth per download is
    // measured.
    const few = await openReaders(addresses, Math.ceil(sizes.readers / 10), sizes.pace * 1024);
    await paced(checkout, CHECKOUT_INTERVAL, SECONDS);
    await few.stop();
    for (let round = 0; round < ROUNDS; round++) {
      rest.push(percentile(await paced(checkout, CHECKOUT_INTERVAL, SECONDS), 0.95));
      const before = memoryOf(pid);
      const readers = await openReaders(addresses, sizes.readers, sizes.pace * 1024);
      const peak = watch(() => memoryOf(pid));
      const [had, spent] = [await readers.received(), spending(readers.pid)];
      busy.push(percentile(await paced(checkout, CHECKOUT_INTERVAL, SECONDS), 0.95));
      for (const [name, share] of spent()) used.set(name, [...(used.get(name) ?? []), share]);
      if (before !== null) grown.push(peak()! - before);
      came = (await readers.received()) - had;
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
    // The readers' own share is listed because it takes processor time from this machine.
    const shares = [...used].map(([name, of]) => `${name} ${written(percentile(of, 0.5))} %`);
    note("of one processor, while they run", shares.join(", "));
    // Per round, so that other load on the machine affects both figures.
    const slower = busy.map((p95, round) => p95 / rest[round]!);
    figure(
      "checkout's p95 beside them, of that at rest",
      percentile(slower, 0.5),
      { atMost: 3 },
      "",
      `of each round: ${slower.map(written).join(", ")}`,
    );
  }

  /**
   * Samples the processes' processor time. @returns a function that gives each one's use since then, in percent of one core
   */
  function spending(readers: number): () => [name: string, share: number][] {
    const sample = () => ({ ...stage.cpu(), readers: cpuOf(readers) ?? 0, "who buys": ownCpu() });
    const [before, begun] = [new Map(Object.entries(sample())), performance.now()];
    return () =>
      Object.entries(sample()).map(([name, ms]) => [
        name,
        (100 * (ms - before.get(name)!)) / (performance.now() - begun),
      ]);
  }

  /** Opens the checkout page, submits its form and opens the PIX screen. @returns the duration in milliseconds */
  async function checkout(): Promise<number> {
    const begun = performance.now();
    await send(url + CHECKOUT);
    await order(stage);
    return performance.now() - begun;
  }

  /** Short-lived URLs of the file, as buyers are redirected to; each from its own purchase. */
  async function downloadsOf(count: number): Promise<string[]> {
    const lines = await sql`select l.sale_id, l.id from sale_lines l join sales s on s.id = l.sale_id
      where l.product_id = ${product!.id} and l.kind = 'product' and s.status = 'completed' order by s.created_at desc limit ${count}`;
    if (lines.length < count) throw new Error(`only ${lines.length} of ${count} purchases exist`);
    const redirects = lines.map(async (line) => {
      const answer = await send(`${url}/download/${line.sale_id}/${line.id}?item=${item!.id}`);
      if (answer.status !== 302) throw new Error(`a download was answered with ${answer.status}`);
      return url + answer.headers.location;
    });
    return Promise.all(redirects);
  }

  /** Uploads a file in parts, as the dashboard does. @returns its id */
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
      state = JSON.parse(await put(`${url}/api/uploads/${id}?offset=${received}`, part, headers));
    }
    return state.id;
  }
}

/** Milliseconds of processor time that this process has used. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Starts many downloads in a child process, cycling through these URLs. */
async function openReaders(urls: string[], count: number, bytesPerSecond: number) {
  const child = fork("bench/slow-readers.ts", [String(count), String(bytesPerSecond), ...urls]);
  const gone = once(child, "exit");
  const nextMessage = () => Promise.race([once(child, "message"), gone.then(() => [null])]);
  if ((await nextMessage())[0] !== "begun") throw new Error("downloads did not begin");
  return {
    pid: child.pid!,
    /** Bytes received so far; NaN if a download broke off. */
    async received(): Promise<number> {
      child.send("received");
      return Number((await nextMessage())[0] ?? Number.NaN);
    },
    async stop() {
      child.kill();
      await gone;
    },
  };
}

/** Sends bytes. @returns the response body */
function put(to: string, bytes: Buffer, headers: Record<string, string> = {}): Promise<string> {
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

/** Downloads a file and discards it. */
function download(from: string): Promise<void> {
  return new Promise((done, fail) => {
    const sent = request(from, { headers: { "X-Forwarded-For": newAddress() }, agent }, (answer) => {
      if (answer.statusCode !== 200) fail(new Error(`a download was answered with ${answer.statusCode}`));
      answer.on("error", fail).on("end", done).resume();
    });
    sent.on("error", fail);
    sent.end();
  });
}

/** Samples a value every 100 ms. @returns a function that stops and gives the maximum; null without any sample */
function watch(sample: () => number | null): () => number | null {
  let max = sample();
  const clock = setInterval(() => {
    const now = sample();
    if (now !== null) max = Math.max(max ?? 0, now);
  }, 100);
  return () => {
    clearInterval(clock);
    return max;
  };
}
