import { type Db, db } from "#app/db/client.server.ts";
import { type Connection, findConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { maskSecret } from "#app/platform/secrets.server.ts";

/** A connection as its seller may see it: `token` is a mask, or empty where none was saved. */
export type ConnectionView = Omit<Connection, "token"> & { token: string };

export async function showConnection(sellerId: string, tx: Db = db): Promise<ConnectionView> {
  const connection = await findConnection(sellerId, tx);
  return { ...connection, token: connection.token ? maskSecret(connection.token) : "" };
}
