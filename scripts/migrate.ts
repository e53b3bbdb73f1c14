import { databaseFailureReason } from "#app/db/errors.server.ts";
import { MigrationBlocked, migrate } from "#app/db/migrate.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";

await migrate().catch((error: unknown) => {
  const isExpected = error instanceof OldDatabase || error instanceof MigrationBlocked;
  const reason = databaseFailureReason(error) ?? (isExpected ? error.message : null);
  if (reason === null) throw error;
  console.error(reason);
  process.exit(1);
});
process.exit(0);
