/** Prints in one sentence why a command failed, without the statement that did, and exits with status 1. */
export async function exitWithFailure(error: unknown): Promise<never> {
  // Only now: it reads the settings, which the command may have completed meanwhile.
  const { databaseFailureReason } = await import("#app/db/database-away.server.ts");
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  console.error(databaseFailureReason(error) ?? (cause instanceof Error ? cause.message : cause));
  process.exit(1);
}
