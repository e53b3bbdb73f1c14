import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";

/** What a job is given: ids, never things. The handler reads the things when it runs. */
export type Ids = Record<string, string | number>;

/** A kind of work done outside a request, at least once; the handler must bear being run twice. */
export type Job<T extends Ids> = {
  name: string;
  handle: (ids: T, attempt: Attempt) => Promise<void>;
  maxAttempts: number;
  /** Among jobs that are due, lower numbers go first; 0 where not said. */
  priority?: number;
  /** May be kept waiting by a service other than the payment provider, or may wait itself: it runs in places of its own. */
  patient?: boolean;
};

/** A job of any kind, as the worker holds it. */
export type AnyJob = Omit<Job<Ids>, "handle"> & { handle: (ids: never, attempt: Attempt) => Promise<void> };

/** Which try this is: `number` counts from 1; `last` means no other follows. */
export type Attempt = { number: number; last: boolean };

/** Where a job's payload names the request that led to it. */
export const REQUEST = "_request";

/** Declares a job. Failed ones are tried again after about e^attempt seconds, at most `maxAttempts` times. */
export function defineJob<T extends Ids>(
  name: string,
  handle: (ids: T, attempt: Attempt) => Promise<void>,
  { maxAttempts = 25, priority = 0, patient = false }: Partial<Job<T>> = {},
): Job<T> {
  return { name, handle, maxAttempts, priority, patient };
}

/**
 * Queues a job inside the transaction that made it necessary. With a `key`, the same job still waiting is moved, not doubled.
 * @param when not before this moment
 */
export async function enqueue<T extends Ids>(
  tx: Db,
  job: Pick<Job<T>, "name" | "maxAttempts" | "priority">,
  ids: T,
  options: { key?: string; when?: Date } = {},
): Promise<void> {
  const key = sql`${options.key ?? null}::text`;
  await tx.execute(sql`select ${enqueuing(job, sql`${JSON.stringify(ids)}::json`, key, options.when)}`);
}

/**
 * The same as an expression, for a statement that makes the ids itself: `ids` is json, `key` text or null. The job carries
 * the id of the request that led to it. `queue_job` does what graphile-worker's `add_job` does of it, at an eighth of the
 * cost: that one plans four statements anew at each call (docs/decisions/queueing-a-job.md).
 */
export function enqueuing(
  job: Pick<Job<Ids>, "name" | "maxAttempts" | "priority">,
  ids: SQL,
  key: SQL,
  when?: Date,
): SQL {
  const request = requestId();
  const payload = request
    ? sql`(${ids}::jsonb || jsonb_build_object(${REQUEST}::text, ${request}::text))::json`
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
