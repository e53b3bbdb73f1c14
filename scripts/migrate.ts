import { migrate, OldDatabase } from "#app/db/migrate.server.ts";

await migrate().catch((error: unknown) => {
  if (!(error instanceof OldDatabase)) throw error;
  console.error(error.message);
  process.exit(1);
});
process.exit(0);
