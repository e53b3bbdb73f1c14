import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** A connection's limits for a statement, a lock wait and an idle open transaction, in milliseconds, and whether it may write. */
export type Limits = { statement: number; lock: number; idleInTransaction: number; isReadOnly?: boolean };

/**
 * For whatever somebody waits for. A frozen process loses its transaction, and with it its locks, after `idleInTransaction`;
 * no code calls anything else while a transaction is open, so a healthy one is idle only for moments.
 */
export const LIMITS: Limits = { statement: 15 * SECOND, lock: 5 * SECOND, idleInTransaction: 10 * SECOND };

/** For reports over years, and for batches of a job. */
export const LONG_LIMITS: Limits = { ...LIMITS, statement: 2 * MINUTE, lock: 30 * SECOND };

/** For metrics: rather no answer than a slow one. */
export const MEASURING_LIMITS: Limits = { statement: SECOND, lock: SECOND, idleInTransaction: SECOND };

/** If a statement is this much over its timeout, the server will not answer any more. */
export const ANSWER_GRACE = 5 * SECOND;

/**
 * Sent once on each new connection. As startup parameters they would cost no round trip, but PgBouncer refuses those it does
 * not know; `set` works with every pooler in session mode, and with PostgreSQL 15.
 */
export function setLimitsSql({ statement, lock, idleInTransaction, isReadOnly }: Limits): string {
  const limits = `set statement_timeout = ${statement}; set lock_timeout = ${lock}; set idle_in_transaction_session_timeout = ${idleInTransaction}`;
  return isReadOnly ? `${limits}; set default_transaction_read_only = on` : limits;
}
