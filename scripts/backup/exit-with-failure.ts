import { databaseFailureReason } from "#app/db/errors.server.ts";

/** Prints in one sentence why a command failed, without the statement that did, and exits with status 1. */
export function exitWithFailure(error: unknown): never {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  console.error(databaseFailureReason(error) ?? (cause instanceof Error ? cause.message : cause));
  process.exit(1);
}
