import { databaseFailureReason } from "#app/db/errors.server.ts";
import { migrate } from "#app/db/migrate.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";

await migrate().catch((error: unknown) => {
  const reason = databaseFailureReason(error) ?? (error instanceof OldDatabase ? error.message : null);
  if (reason === null) throw error;
  console.error(reason);
  process.exit(1);
});
process.exit(0);
