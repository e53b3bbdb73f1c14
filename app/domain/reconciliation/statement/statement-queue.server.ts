import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { statements } from "#app/db/schema/charge-checks.server.ts";
import type { ProviderFailure } from "#app/db/schema/lists.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Credentials, ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { Span, StatementSource } from "#app/domain/gateway/providers/statement-port.ts";
import { recordAnswerToCall } from "#app/domain/gateway/record-key-answer.server.ts";
import { bookStatement } from "#app/domain/reconciliation/statement/book-statement.server.ts";
import type { DueStatement } from "#app/domain/reconciliation/statement/due-statement.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { counter } from "#app/platform/metrics.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { STATEMENTS } from "#app/queue/names.ts";

/** Longer than two calls and the booking of a large file take. */
const LEASE = 10 * MINUTE;
/** Before a requested statement is asked about again: longer each time. */
const POLL_DELAY = MINUTE;
const MAX_POLL_DELAY = 30 * MINUTE;
/** One that is not ready by then is requested anew; the first one of an account takes hours. */
const MAX_WAIT = 12 * HOUR;
/** Pauses after a failure. What the account or the provider refuses, a few minutes do not change. */
const PAUSES: Record<ProviderFailure, number> = {
  ...{ busy: 10 * MINUTE, "no-answer": 10 * MINUTE },
  ...{ refused: 6 * HOUR, credentials: 12 * HOUR, nonsense: 24 * HOUR },
};
/** They grow with the attempts. */
const MAX_PAUSE = DAY;
/** After the day: until then attempts are made. */
const MAX_AGE = 10 * DAY;

const read = counter("statements_total", "Attempts to get a provider's statement of a day, by outcome.", [
  "provider",
  "outcome",
]);

/**
 * Requests statements, asks whether they are ready, and reads them: one account's day is one row, so that no seller waits for
 * another one's large file. Every step is one claim; a lost one is due again when its lease ends.
 */
export const statementQueue = defineQueue<DueStatement>({
  name: STATEMENTS,
  concurrency: 2,
  pollInterval: 20 * SECOND,
  claim: claimStatements,
  handle: advanceStatement,
  logIds: ({ sellerId, provider, day }) => ({ sellerId, provider, day }),
});

/** Claims due statements, the longest due first, with the account's current key. */
export async function claimStatements(limit: number): Promise<DueStatement[]> {
  const rows = await db.execute<
    Omit<DueStatement, "requestedAt" | "leasedUntil"> & { requestedAt: string | null; leasedUntil: string }
  >(sql`
    with due as (
      select seller_id, provider, day from ${statements} where next_attempt_at <= ${nowRoundedUp}
      order by next_attempt_at limit ${limit} for update skip locked
    )
    update ${statements} t set next_attempt_at = date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND}),
      attempts = t.attempts + 1
    from due d left join gateway_accounts a on a.seller_id = d.seller_id and a.provider = d.provider
      left join gateway_keys k on k.id = a.key_id
    where t.seller_id = d.seller_id and t.provider = d.provider and t.day = d.day
    returning t.seller_id as "sellerId", t.provider, t.day::text as day, a.key_id as "keyId", k.api_key_sealed as "sealedKey",
      t.task_id as "taskId", t.requested_at as "requestedAt", t.attempts, t.next_attempt_at as "leasedUntil"`);
  return rows.map(({ requestedAt, leasedUntil, ...row }) => ({
    ...row,
    requestedAt: requestedAt === null ? null : new Date(requestedAt),
    leasedUntil: new Date(leasedUntil),
  }));
}

/** @returns in how many milliseconds to look for it again */
async function advanceStatement(due: DueStatement): Promise<number | undefined> {
  const { sellerId, provider, day, keyId, sealedKey } = due;
  const source = pick(providers, provider)?.statement;
  const isOver = Date.now() > endOf(day).getTime() + MAX_AGE;
  const logFields = { sellerId, provider, day };
  if (!source || !keyId || !sealedKey || isOver) {
    if (isOver) log.error(logFields, "statement given up");
    await update(due, sql`next_attempt_at = null`);
    return;
  }
  try {
    const outcome = await takeStep(due, source, { apiKey: unseal(sealedKey) });
    read.inc({ provider, outcome: outcome.name });
    // A step that waits may have made no request.
    if (outcome.name !== "waiting") await recordAnswerToCall({ sellerId, provider, keyId }, null);
    if (outcome.name === "failed") log.warn(logFields, "statement not made: to be requested again");
    return outcome.wait;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ ...logFields, kind: error.kind, error: error.message }, "statement not read");
    read.inc({ provider, outcome: error.kind });
    await recordAnswerToCall({ sellerId, provider, keyId }, error);
    // A file that cannot be read stays as it is: another one is requested.
    const isFile = error.kind === "nonsense" && due.taskId !== null;
    // Nothing was requested, or its request cannot be found: the next attempt makes a new one.
    const isUnmade = error.kind !== "no-answer" && due.taskId === null;
    const forgotten = isFile || isUnmade ? sql`task_id = null, requested_at = null,` : sql``;
    const next = after(Math.min(PAUSES[error.kind] * Math.max(due.attempts / 6, 1), MAX_PAUSE));
    await update(due, sql`${forgotten} failure_kind = ${error.kind}, next_attempt_at = ${next}`);
  }
}

type Step = { name: "requested" | "waiting" | "failed" | "read"; wait?: number };

async function takeStep(due: DueStatement, source: StatementSource, key: Credentials): Promise<Step> {
  if (!due.taskId) return requestStatement(due, source, key);
  const found = await source.findFile(key, due.taskId);
  if (found === "failed") return forget(due, "failed");
  if (found !== "waiting") {
    await bookStatement(due, await source.read(key, found.file));
    return { name: "read" };
  }
  const waited = Date.now() - (due.requestedAt?.getTime() ?? 0);
  if (waited > MAX_WAIT) return forget(due, "failed");
  const delay = Math.min(Math.max(waited / 2, POLL_DELAY), MAX_POLL_DELAY);
  await update(due, sql`next_attempt_at = ${after(delay)}`);
  return { name: "waiting", wait: delay };
}

/** An earlier request without an answer may have been accepted: it is looked for, so that none is made twice. */
async function requestStatement(due: DueStatement, source: StatementSource, key: Credentials): Promise<Step> {
  const span = spanOf(due.day);
  const found = due.requestedAt && (await source.findRequest(key, span));
  if (!found && !(await update(due, sql`requested_at = now()`))) return { name: "waiting" };
  const taskId = found ?? (await source.request(key, span));
  await update(
    due,
    sql`task_id = ${taskId}, failure_kind = null, next_attempt_at = ${after(POLL_DELAY)},
      requested_at = case when ${taskId === null}::boolean then null else requested_at end`,
  );
  return { name: taskId ? "requested" : "waiting", wait: POLL_DELAY };
}

async function forget(due: DueStatement, name: "failed"): Promise<Step> {
  const next = after(PAUSES.busy * Math.min(due.attempts, 36));
  await update(
    due,
    sql`task_id = null, requested_at = null, failure_kind = 'nonsense', next_attempt_at = ${next}`,
  );
  return { name };
}

/** Writes to a claimed row, unless its lease has ended and another worker claimed it. @returns whether it did */
async function update(due: DueStatement, columns: SQL): Promise<boolean> {
  const { sellerId, provider, day, leasedUntil } = due;
  const rows = await db.execute(sql`
    update ${statements} set ${columns} where seller_id = ${sellerId} and provider = ${provider} and day = ${day}::date
      and next_attempt_at = ${leasedUntil.toISOString()}::timestamptz returning day`);
  return rows.length > 0;
}

function after(ms: number): SQL {
  return sql`now() + make_interval(secs => ${ms / SECOND})`;
}

/** A São Paulo day, which has 24 hours since 2019, to its last second. */
function spanOf(day: string): Span {
  return { begin: new Date(`${day}T00:00:00-03:00`), end: new Date(endOf(day).getTime() - SECOND) };
}

function endOf(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00-03:00`) + DAY);
}
