import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** How long Postgres lets a connection run a statement, wait for a lock, and leave a transaction open without asking. Ms. */
export type Limits = { statement: number; lock: number; idleInTransaction: number };

/**
 * For whatever somebody waits for. A frozen process loses its transaction, and with it its locks, after the last of them;
 * ours ask nobody else while a transaction is open, so a living one leaves it idle for moments only.
 */
export const LIMITS: Limits = { statement: 15 * SECOND, lock: 5 * SECOND, idleInTransaction: 10 * SECOND };

/** For reports over years, and for batches of a job. */
export const LONG_LIMITS: Limits = { ...LIMITS, statement: 2 * MINUTE, lock: 30 * SECOND };

/** For what is counted for operators: rather no answer than a slow one. */
export const MEASURING_LIMITS: Limits = { statement: SECOND, lock: SECOND, idleInTransaction: SECOND };

/**
 * Sent once on each new connection. As startup parameters they would cost no trip, but PgBouncer refuses those it does
 * not know; with `set` every pooler in session mode is content, and so is PostgreSQL 15.
 */
export function settingLimits({ statement, lock, idleInTransaction }: Limits): string {
  return `set statement_timeout = ${statement}; set lock_timeout = ${lock}; set idle_in_transaction_session_timeout = ${idleInTransaction}`;
}
