import type { Socket } from "node:net";
import pg from "pg";
import { SECOND } from "#app/kit/duration.ts";
import { nodePostgresAddress } from "#app/platform/postgres-address.server.ts";

/**
 * Runs `work` with a connection without time limits. A lost one fails the statement under way, and those after it.
 * @param maxSilence after how many milliseconds in which nothing came or went it counts as lost; never by default
 */
export async function connected<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
  maxSilence = 0,
): Promise<T> {
  const client = new pg.Client({
    connectionString: nodePostgresAddress(databaseUrl),
    connectionTimeoutMillis: 30 * SECOND,
  });
  // Without a listener the loss would end the process at once, before anything is cleaned up.
  client.on("error", () => {});
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const lost = () => Object.assign(new Error("the database is silent"), { code: "ETIMEDOUT" });
  stream.setTimeout(maxSilence, () => stream.destroy(lost()));
  try {
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    return await work(client);
  } finally {
    await client.end();
  }
}
