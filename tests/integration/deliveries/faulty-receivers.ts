import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { env } from "#app/platform/env.server.ts";

/** One arrival: `delivered` is what was sent, the same at every attempt. */
export type Arrival = { to: string; delivered: string; at: number };

/** How often a message may be met by a fault: fewer than the maximum of attempts. */
const MAX_FAULTS = 3;

/**
 * Replaces the sandbox and plays any number of webhooks and advertisers that fail at random: with 500, by hanging up
 * before or after reading, and sometimes slowly. Each message meets few faults.
 */
export async function openFaultyListeners({ chance }: { chance: number }) {
  const arrivals: Arrival[] = [];
  const faults = new Map<string, number>();
  const underWay = new Map<string, number>();
  const most = new Map<string, number>();
  let lostAnswers = 0;
  const server = createServer(async (incoming, outgoing) => {
    // The workers' jobs call other services too, which are not here.
    if (incoming.method !== "POST") return void outgoing.writeHead(404).end();
    const to = incoming.url!.split("?")[0]!;
    const now = (underWay.get(to) ?? 0) + 1;
    underWay.set(to, now);
    most.set(to, Math.max(now, most.get(to) ?? 0));
    outgoing.on("close", () => underWay.set(to, underWay.get(to)! - 1));
    const body = await readWhole(incoming);
    // A half message, whose worker was killed, does not count.
    if (body === null) return void outgoing.destroy();
    const delivered = withoutAdded(body);
    const met = faults.get(`${to} ${delivered}`) ?? 0;
    const fault = met < MAX_FAULTS && Math.random() < chance ? pick(["500", "cut", "lost"] as const) : null;
    if (fault) faults.set(`${to} ${delivered}`, met + 1);
    if (Math.random() < chance / 10) await new Promise((later) => setTimeout(later, 300));
    if (fault === "cut") return void incoming.socket.destroy();
    // Advertisers would be left alone for a minute.
    if (fault === "500" && !to.startsWith("/receiver")) return void incoming.socket.destroy();
    if (fault === "500") return void outgoing.writeHead(500).end();
    arrivals.push({ to, delivered, at: arrivals.length });
    if (fault === "lost") {
      lostAnswers++;
      return void incoming.socket.destroy();
    }
    if (to.startsWith("/ga4")) return void outgoing.writeHead(204).end();
    outgoing.writeHead(200, { "Content-Type": "application/json" });
    outgoing.end(JSON.stringify({ events_received: 1, code: 0, result: 1, id: randomUUID() }));
  });
  await new Promise<void>((resolve) => server.listen(Number(new URL(env.sandboxUrl!).port), resolve));
  return {
    heard: arrivals,
    /** Calls at once, the most there were, by address. */
    most,
    lostAnswers: () => lostAnswers,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Null where the sender ended before the body did. */
async function readWhole(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return incoming.complete ? Buffer.concat(chunks).toString() : null;
}

/** A message without what is added when it is sent: the token, and the pixel's id, which its seller may correct. */
export function withoutAdded(body: string): string {
  const { access_token: _, token: __, event_source_id: ___, ...text } = JSON.parse(body);
  return JSON.stringify(text);
}

function pick<T>(words: readonly T[]): T {
  return words[Math.floor(Math.random() * words.length)]!;
}
