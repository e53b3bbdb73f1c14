import { execFileSync } from "node:child_process";
import postgres from "postgres";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";

/** Creates an empty database with this name and drops an existing one. */
export async function emptyDatabase(url: (name: string) => string, name: string): Promise<void> {
  const admin = postgres(url("postgres"), { max: 1, onnotice: () => {} });
  await admin`drop database if exists ${admin(name)} with (force)`;
  await admin`create database ${admin(name)}`;
  await admin.end();
}

/** Creates an empty database with the current tables. @returns the environment for benchmark scripts that use it */
export async function migratedDatabase(
  url: (name: string) => string,
  name: string,
): Promise<NodeJS.ProcessEnv> {
  await emptyDatabase(url, name);
  const env = {
    ...process.env,
    ...sandboxEnvironment(3000, 3001),
    NODE_ENV: "test" as const,
    LOG_LEVEL: "silent",
    DATABASE_URL: url(name),
  };
  execFileSync(process.execPath, ["scripts/migrate.ts"], { env, stdio: "inherit" });
  return env;
}
