import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";

/** A job's payload: ids and short words. The handler reads the rows when it runs. */
export type Ids = Record<string, string | number>;

/** Work done outside a request, at least once; the handler must be idempotent. */
export type Job<T extends Ids> = {
  name: string;
  handle: (ids: T, attempt: Attempt) => Promise<void>;
  maxAttempts: number;
  /** Among due jobs, lower numbers go first; 0 by default. */
  priority?: number;
  /** May wait for a service other than the payment provider: it runs in a runner of its own. */
  slow?: boolean;
};

/** A job of any kind. */
export type AnyJob = Omit<Job<Ids>, "handle"> & { handle: (ids: never, attempt: Attempt) => Promise<void> };

/** The current attempt: `number` counts from 1; `last` means it is not retried. */
export type Attempt = { number: number; last: boolean };

/** The key in a job's payload for the id of the request that led to it. */
export const REQUEST_KEY = "_request";

/** Declares a job. Failed ones are retried after about e^attempt seconds, up to `maxAttempts` attempts. */
export function defineJob<T extends Ids>(
  name: string,
  handle: (ids: T, attempt: Attempt) => Promise<void>,
  { maxAttempts = 25, priority = 0, slow = false }: Partial<Job<T>> = {},
): Job<T> {
  return { name, handle, maxAttempts, priority, slow };
}

/**
 * Queues a job inside the transaction that requires it. With a `key` (unique per job name; `""`: one for the name) a waiting
 * job of that key is replaced: ids, time and attempts. A running one goes on and is not retried; another is
 * queued.
 * @param when not before this time
 */
export async function enqueue<T extends Ids>(
  tx: Db,
  job: Pick<Job<T>, "name" | "maxAttempts" | "priority">,
  ids: T,
  options: { key?: string; when?: Date } = {},
): Promise<void> {
  const key = sql`${options.key ?? null}::text`;
  await tx.execute(
    sql`select ${enqueueExpression(job, sql`${JSON.stringify(ids)}::json`, key, options.when)}`,
  );
}

/**
 * The same as an expression, for a statement that generates the ids itself: `ids` is json, `key` text or null. The job
 * carries the id of the request that led to it. `queue_job` does what graphile-worker's `add_job` does for it at an eighth
 * of the cost, since that one replans four statements at each call (docs/decisions/queueing-a-job.md).
 */
export function enqueueExpression(
  job: Pick<Job<Ids>, "name" | "maxAttempts" | "priority">,
  ids: SQL,
  key: SQL,
  when?: Date,
): SQL {
  const request = requestId();
  const payload = request
    ? sql`(${ids}::jsonb || jsonb_build_object(${REQUEST_KEY}::text, ${request}::text))::json`
    : ids;
  return sql`queue_job(
    ${job.name}::text,
    ${payload},
    ${when?.toISOString() ?? null}::timestamptz,
    ${job.maxAttempts}::int,
    ${job.priority ?? 0}::int,
    ${`${job.name}:`}::text || ${key}
  )`;
}
