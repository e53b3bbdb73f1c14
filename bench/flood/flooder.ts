import { setMaxListeners } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { getPriority, setPriority } from "node:os";
import type { PageForm } from "#tests/support/clients/page-forms.ts";
import { type Row, type Shot, shotsAt } from "./rows.ts";
import type { Shop } from "./shop.ts";

/** The flooder's arguments: where, what, as whom and for how long. */
export type Order = {
  url: string;
  row: Row;
  shop: Shop;
  forms: PageForm[];
  cookie: string;
  /** Number of client addresses that the requests come from. */
  addresses: number;
  atOnce: number;
  seconds: number;
};
/** Responses by status; `-1`: cut or refused; `0`: unanswered at the end. */
export type Answers = Record<number, number>;

/**
 * Floods one row, in its own low-priority process: a real attacker uses other machines and takes no processor time from the
 * one under attack.
 */
setPriority(Math.min(19, getPriority() + 10));
// Linux may divide the processor between sessions first, and this process is a session of its own.
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
        // Limits retries to a server that refuses connections.
        if (status === -1) await new Promise((later) => setTimeout(later, 10));
      }
    }),
  );
  clearTimeout(timer);
  agent.destroy();
  process.send!(answers);
});

/** Sends one request and reads the response; of an event stream only its beginning. @returns the status */
function fire(order: Order, shot: Shot, copy: number, agent: Agent, end: AbortSignal): Promise<number> {
  return new Promise((done) => {
    const headers = {
      // 203.0.113.0/24 is reserved for documentation.
      "X-Forwarded-For": `203.0.113.${copy % order.addresses}`,
      Accept: shot.accept,
      "Accept-Encoding": "gzip, deflate, br",
      ...(order.cookie ? { Cookie: order.cookie } : {}),
      ...(shot.type ? { "Content-Type": shot.type } : {}),
    };
    const sent = request(order.url + shot.path, { method: shot.method, headers, agent }, (answer) => {
      const status = answer.statusCode ?? -1;
      if (answer.headers["content-type"]?.startsWith("text/event-stream"))
        answer.once("data", () => {
          done(status);
          sent.destroy();
        });
      else answer.resume();
      answer.once("end", () => done(status));
      answer.once("error", () => done(-1));
    });
    const stop = () => {
      done(0);
      sent.destroy();
    };
    end.addEventListener("abort", stop, { once: true });
    sent.once("error", () => done(end.aborted ? 0 : -1));
    sent.once("close", () => {
      end.removeEventListener("abort", stop);
      done(end.aborted ? 0 : -1);
    });
    sent.end(shot.body);
  });
}
