import { refusedLogin } from "#app/db/database-away.server.ts";
import { migrate } from "#app/db/migrate.server.ts";
import { OldDatabase } from "#app/db/old-database.server.ts";

await migrate().catch((error: unknown) => {
  const why = refusedLogin(error) ?? (error instanceof OldDatabase ? error.message : null);
  if (why === null) throw error;
  console.error(why);
  process.exit(1);
});
process.exit(0);
