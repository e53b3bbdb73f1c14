import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { deliveries, type destinations } from "#app/db/schema/deliveries.server.ts";
import type { AttemptResult, SendingKind } from "#app/domain/delivery/destination.ts";
import { stopDestination } from "#app/domain/delivery/stop-destination.server.ts";

type Destination = typeof destinations.$inferSelect;

/** Of so many sales a message has to be refused before that is no fault of theirs. */
const MANY_REFUSED = 3;
/** So much of a log is read at most. Those of pixels are mostly of buyers who did not agree, or clicked no ad of theirs. */
const NEWEST = 5000;

/** An attempt that did not succeed; `now`: when it began. */
type Failure = { kind: SendingKind; outcome: AttemptResult; now: Date; isTest: boolean; isRepeated: boolean };

/** Stops a destination that wants nothing any more, or has accepted nothing for too long. */
export async function stopIfFailing(
  tx: Tx,
  destination: Destination,
  { kind, outcome, now, isTest, isRepeated }: Failure,
): Promise<void> {
  const { result, reason } = outcome.verdict;
  // Whoever tests sees the answer, so it stops nothing, unless the address wants nothing any more.
  if (isTest && (result !== "gone" || reason === "token")) return;
  if (result === "gone") return stopDestination(tx, destination, reason === "token" ? "token" : "gone");
  const since = destination.failingSince ?? now;
  const hasFailedTooLong = kind.stopAfter !== null && now.getTime() - since.getTime() >= kind.stopAfter;
  if (isRepeated || !hasFailedTooLong) return;
  // A message that is refused for what it says tells nothing of the others, unless it is so for sale after sale.
  if (reason === "rejected" && !(await refusesMany(tx, destination, since))) return;
  await stopDestination(tx, destination, "failing");
}

async function refusesMany(tx: Tx, { id, sellerId }: Destination, since: Date): Promise<boolean> {
  const [refused] = await tx.execute<{ sales: number }>(sql`
    select count(distinct o.sale_id)::int as sales from (
      select sale_id, status, attempt_log from ${deliveries} where seller_id = ${sellerId} and destination_id = ${id}
      order by sequence desc limit ${NEWEST}) o
    where o.status = 'refused' and (o.attempt_log -> -1 ->> 'at')::timestamptz >= ${since.toISOString()}::timestamptz`);
  return refused!.sales >= MANY_REFUSED;
}
