import pg from "pg";

/** Runs `work` with a connection without time limits. A lost one fails the statement under way, and those after it. */
export async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Without a listener the loss would end the process at once, before anything is cleaned up.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    return await work(client);
  } finally {
    await client.end();
  }
}
