import { migrate } from "#app/db/migrate.server.ts";

await migrate();
process.exit(0);
