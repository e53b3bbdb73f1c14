import { spawnSync } from "node:child_process";
import { join } from "node:path";
import postgres from "postgres";
import { startPostgres } from "#scripts/postgres.ts";
import { migratedDatabase } from "./bench-database.ts";
import { fillReports } from "./reports-data.ts";

/** Sales in the table; a quarter of them belong to one seller. */
const SALES = 2_000_000;

/**
 * Runs every report call on a big and a small shop, with two million sales in the table: p50, p95 and the indexes used.
 * @returns whether each met its target (50 ms) and none read all sales
 */
export async function benchReports(): Promise<boolean> {
  const server = await startPostgres(".cache/bench-reports", {
    fast: true,
    flags: ["shared_buffers=512MB", "max_wal_size=8GB", "session_preload_libraries=auto_explain"],
  });
  try {
    const env = {
      ...(await migratedDatabase(server.url, "bench")),
      POSTGRES_LOG: join(server.directory, "postgres.log"),
    };
    const sql = postgres(server.url("bench"), { max: 1, onnotice: () => {} });
    const start = performance.now();
    await fillReports(sql, SALES, new Date());
    await sql.end();
    console.log(
      `${SALES.toLocaleString("en-US")} sales written in ${((performance.now() - start) / 1000).toFixed(0)} s`,
    );
    const { status } = spawnSync(process.execPath, ["bench/reports-calls.ts"], { env, stdio: "inherit" });
    return status === 0;
  } finally {
    await server.stop();
  }
}
