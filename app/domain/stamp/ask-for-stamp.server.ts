import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { stamps } from "#app/db/schema/stamps.server.ts";
import { LONG_WAIT, PATIENCE } from "#app/domain/stamp/limits.ts";
import { stampWords, wordsKey } from "#app/domain/stamp/stamp-words.server.ts";
import { tellWaiting } from "#app/domain/stamp/tell-unstamped.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { STAMPS } from "#app/queue/names.ts";

/** `unstamped`: it cannot be stamped, and is given as it is, for whoever paid has it. Nobody gets it so by waiting. `size` in bytes. */
export type Stamp =
  | { state: "ready"; copyId: string; size: number; readyAt: Date }
  | { state: "preparing"; since: Date }
  | { state: "unstamped" };

type Asked = {
  sellerId: string;
  fileId: string;
  sale: { id: string; customerName: string | null; customerEmail: string | null };
};

const LOOKS = 100;

/** Copies that are waited for in this process. */
const waiting = new Map<string, Promise<Stamp>>();

/**
 * A PDF with the words of a sale's buyer on each page, made once for these words: whoever asks first has it made, and whoever
 * asks for it is kept for a moment, which most take. Any number who ask at once look together: a wait asks the database often.
 */
export function askForStamp(asked: Asked): Promise<Stamp> {
  const key = wordsKey(stampWords(asked.sale));
  const name = `${asked.sale.id}/${asked.fileId}/${key}`;
  const same = waiting.get(name);
  if (same) return same;
  const stamp = waitFor(asked, key).finally(() => waiting.delete(name));
  waiting.set(name, stamp);
  return stamp;
}

async function waitFor(asked: Asked, key: string): Promise<Stamp> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const stamp = await look(asked, key);
    if (stamp.state !== "preparing") return stamp;
    if (Date.now() > until) {
      if (stamp.since.getTime() < Date.now() - LONG_WAIT)
        await db.transaction((tx) => tellWaiting(tx, asked.fileId));
      return stamp;
    }
    await new Promise((later) => setTimeout(later, LOOKS));
  }
}

async function look(asked: Asked, key: string): Promise<Stamp> {
  const { fileId, sale } = asked;
  const [found] = await db
    .select({ stamp: stamps, copy: files })
    .from(stamps)
    .leftJoin(files, eq(files.id, stamps.copyId))
    .where(and(eq(stamps.saleId, sale.id), eq(stamps.fileId, fileId), eq(stamps.wordsKey, key)));
  if (!found) return begin(asked, key);
  const { stamp, copy } = found;
  if (stamp.askedAt.getTime() < Date.now() - DAY)
    await db.update(stamps).set({ askedAt: new Date() }).where(eq(stamps.id, stamp.id));
  if (copy?.readyAt) return { state: "ready", copyId: copy.id, size: copy.size, readyAt: copy.readyAt };
  return stamp.dueAt ? { state: "preparing", since: stamp.createdAt } : { state: "unstamped" };
}

async function begin({ sellerId, fileId, sale }: Asked, key: string): Promise<Stamp> {
  const [trial] = await db
    .select({ failure: stamps.failure })
    .from(stamps)
    .where(and(eq(stamps.fileId, fileId), isNull(stamps.saleId)));
  if (trial?.failure) return { state: "unstamped" };
  await db.transaction(async (tx) => {
    const [made] = await tx
      .insert(stamps)
      .values({ sellerId, fileId, saleId: sale.id, wordsKey: key, dueAt: sql`now()` })
      .onConflictDoNothing()
      .returning({ id: stamps.id });
    if (made) await notify(tx, "due", STAMPS);
  });
  return { state: "preparing", since: new Date() };
}

/** Of a copy whose keeper lost it: it is made anew where it is asked for again. */
export async function forgetCopy(copyId: string): Promise<void> {
  await db.delete(stamps).where(eq(stamps.copyId, copyId));
}
