import { setMaxListeners } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { getPriority, setPriority } from "node:os";
import type { PageForm } from "#tests/support/clients/page-forms.ts";
import { type Row, type Shot, shotsAt } from "./rows.ts";
import type { Shop } from "./shop.ts";

/** What the flooder is told: where, what, as whom and for how long. */
export type Order = {
  url: string;
  row: Row;
  shop: Shop;
  forms: PageForm[];
  cookie: string;
  /** Of how many addresses the requests come. */
  addresses: number;
  atOnce: number;
  seconds: number;
};
/** How many answers had each status; `-1`: cut or refused; `0`: unanswered at the end. */
export type Answers = Record<number, number>;

/**
 * Floods one row, in a process of its own that is nicer than all others: an attacker brings machines of their own, and
 * takes no processor from the one that is attacked.
 */
setPriority(Math.min(19, getPriority() + 10));
// Linux may share the processor between sessions first: this one is a session of its own.
if (existsSync("/proc/self/autogroup")) writeFileSync("/proc/self/autogroup", "10");

let sent = 0;

process.on("message", async (order: Order) => {
  const agent = new Agent({ keepAlive: true });
  const shots = shotsAt(order.row, order.shop, order.forms);
  const answers: Answers = {};
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const timer = setTimeout(() => end.abort(), order.seconds * 1000);
  await Promise.all(
    Array.from({ length: order.atOnce }, async () => {
      while (!end.signal.aborted) {
        const copy = sent++;
        const status = await fire(order, shots[copy % shots.length]!(copy), copy, agent, end.signal);
        answers[status] = (answers[status] ?? 0) + 1;
        // A server that refuses connections is not asked a thousand times a second.
        if (status === -1) await new Promise((later) => setTimeout(later, 10));
      }
    }),
  );
  clearTimeout(timer);
  agent.destroy();
  process.send!(answers);
});

/** Sends one request and reads its answer; of a stream of events its beginning. @returns its status */
function fire(order: Order, shot: Shot, copy: number, agent: Agent, end: AbortSignal): Promise<number> {
  return new Promise((done) => {
    const headers = {
      // 203.0.113.0/24 is kept for documentation.
      "X-Forwarded-For": `203.0.113.${copy % order.addresses}`,
      Accept: shot.accept,
      "Accept-Encoding": "gzip, deflate, br",
      ...(order.cookie ? { Cookie: order.cookie } : {}),
      ...(shot.type ? { "Content-Type": shot.type } : {}),
    };
    const asked = request(order.url + shot.path, { method: shot.method, headers, agent }, (answer) => {
      const status = answer.statusCode ?? -1;
      if (answer.headers["content-type"]?.startsWith("text/event-stream"))
        answer.once("data", () => {
          done(status);
          asked.destroy();
        });
      else answer.resume();
      answer.once("end", () => done(status));
      answer.once("error", () => done(-1));
    });
    const stop = () => {
      done(0);
      asked.destroy();
    };
    end.addEventListener("abort", stop, { once: true });
    asked.once("error", () => done(end.aborted ? 0 : -1));
    asked.once("close", () => {
      end.removeEventListener("abort", stop);
      done(end.aborted ? 0 : -1);
    });
    asked.end(shot.body);
  });
}
