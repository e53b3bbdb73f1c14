import { SECOND } from "#app/kit/duration.ts";
import { hashToken } from "#app/platform/secrets.server.ts";

/** Resend takes 5 requests a second from a team. */
const APART = 0.3 * SECOND;

const nextTurn = new Map<string, number>();

/** Waits for an account's next turn in this process; across processes a 429 and its `retry-after` do the rest. */
export async function takeTurn(apiKey: string): Promise<void> {
  const account = hashToken(apiKey);
  const now = Date.now();
  const turn = Math.max(now, nextTurn.get(account) ?? 0);
  nextTurn.set(account, turn + APART);
  if (nextTurn.size > 1000) for (const [key, at] of nextTurn) if (at < now) nextTurn.delete(key);
  if (turn > now) await new Promise((resolve) => setTimeout(resolve, turn - now));
}
