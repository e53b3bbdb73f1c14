import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { env } from "#app/platform/env.server.ts";

/** One arrival: `told` is what was sent, the same at every try; `heard` is false where it was cut off before it was read. */
export type Heard = { to: string; told: string; at: number };

/** How often a message may be met by a fault: fewer than there are tries. */
const MOST_FAULTS = 3;

/**
 * Stands where the sandbox stands and plays any number of webhooks and advertisers that fail at random: with 500, by
 * hanging up before they heard, or after it, and now and then slowly. Each message meets few faults.
 */
export async function openFaultyListeners({ chance }: { chance: number }) {
  const heard: Heard[] = [];
  const faults = new Map<string, number>();
  const underWay = new Map<string, number>();
  const most = new Map<string, number>();
  let lostAnswers = 0;
  const server = createServer(async (incoming, outgoing) => {
    // The workers' clock asks other services too, which are not here.
    if (incoming.method !== "POST") return void outgoing.writeHead(404).end();
    const to = incoming.url!.split("?")[0]!;
    const now = (underWay.get(to) ?? 0) + 1;
    underWay.set(to, now);
    most.set(to, Math.max(now, most.get(to) ?? 0));
    outgoing.on("close", () => underWay.set(to, underWay.get(to)! - 1));
    const body = await readWhole(incoming);
    // Half a message, whose worker was killed, is none.
    if (body === null) return void outgoing.destroy();
    const told = withoutToken(body);
    const met = faults.get(`${to} ${told}`) ?? 0;
    const fault = met < MOST_FAULTS && Math.random() < chance ? pick(["500", "cut", "lost"] as const) : null;
    if (fault) faults.set(`${to} ${told}`, met + 1);
    if (Math.random() < chance / 10) await new Promise((later) => setTimeout(later, 300));
    if (fault === "cut") return void incoming.socket.destroy();
    // Advertisers would be left alone for a minute.
    if (fault === "500" && !to.startsWith("/receiver")) return void incoming.socket.destroy();
    if (fault === "500") return void outgoing.writeHead(500).end();
    heard.push({ to, told, at: heard.length });
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
    heard,
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

/** What a message says, without who we say we are. */
export function withoutToken(body: string): string {
  const { access_token: _, token: __, ...said } = JSON.parse(body);
  return JSON.stringify(said);
}

function pick<T>(words: readonly T[]): T {
  return words[Math.floor(Math.random() * words.length)]!;
}
