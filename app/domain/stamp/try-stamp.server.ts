import { and, eq, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { stamps } from "#app/db/schema/stamps.server.ts";
import { STAMP_FAILURE_WORDS } from "#app/domain/stamp/why-unstamped.ts";
import { SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { STAMPS } from "#app/queue/names.ts";

const LONGEST = 8 * SECOND;
const LOOKS = 150;

/** Has it tried whether a PDF can be stamped; once for a file. */
export async function tryStamp(tx: Tx, sellerId: string, fileId: string): Promise<void> {
  const [made] = await tx
    .insert(stamps)
    .values({ sellerId, fileId, dueAt: sql`now()` })
    .onConflictDoNothing()
    .returning({ id: stamps.id });
  if (made) await notify(tx, "due", STAMPS);
}

/**
 * The same, and waits for what comes of it. Where that takes long the seller is told when it is known.
 * @throws Refusal invalid, at the switch, where it cannot be
 */
export async function refuseUnstampable(sellerId: string, fileId: string): Promise<void> {
  await db.transaction((tx) => tryStamp(tx, sellerId, fileId));
  for (const until = Date.now() + LONGEST; Date.now() < until; ) {
    const [trial] = await db
      .select({ dueAt: stamps.dueAt, failure: stamps.failure })
      .from(stamps)
      .where(and(eq(stamps.fileId, fileId), isNull(stamps.saleId), eq(stamps.sellerId, sellerId)));
    if (trial?.failure) throw new Refusal("invalid", STAMP_FAILURE_WORDS[trial.failure], "stamp");
    if (!trial?.dueAt) return;
    await new Promise((later) => setTimeout(later, LOOKS));
  }
}
