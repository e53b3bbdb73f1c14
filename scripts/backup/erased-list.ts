import { createHmac } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";

/**
 * Which purchases were emptied since a backup was made: a line each, the fingerprint of the sale and when. It names nobody
 * and opens nothing, and lies beside the backups, since a backup still has whom the shop forgot.
 */
const HEAD = "checkintelli-erased 1";

/** Older ones are in no backup that may be kept. Days. */
const KEPT_FOR = 60;

/** Where a backup's list is unless another is named. */
export const listBeside = (backup: string) => join(dirname(backup), "erased.list");

function fingerprints(secrets: string[], saleId: string): string[] {
  return secrets.map((secret) =>
    createHmac("sha256", secret).update(`checkintelli-erased:${saleId}`).digest("base64url"),
  );
}

/**
 * Adds to the list whoever was emptied by now. What it holds from before stays: a restored database knows less.
 * @returns how many it names
 */
export async function writeErased(databaseUrl: string, secrets: string[], file: string): Promise<number> {
  const known = await readErased(file);
  const since = new Date(Date.now() - KEPT_FOR * 24 * 3_600_000).toISOString();
  const rows = await connected(databaseUrl, (client) =>
    client.query<{ id: string; at: Date }>(
      "select id, emptied_at as at from sales where emptied_as is not null and emptied_at > $1",
      [since],
    ),
  );
  for (const { id, at } of rows.rows) known.set(fingerprints(secrets.slice(0, 1), id)[0]!, at.toISOString());
  const lines = [...known].filter(([, at]) => at > since).map(([print, at]) => `${print} ${at}`);
  await writeFile(`${file}.part`, [HEAD, ...lines, ""].join("\n"), { mode: 0o600, flush: true });
  await rename(`${file}.part`, file);
  return lines.length;
}

/**
 * Makes those who were emptied since the backup due to be emptied again: a worker does it.
 * @returns how many buyers
 */
export async function eraseAnew(databaseUrl: string, secrets: string[], file: string): Promise<number> {
  const known = await readErased(file);
  if (known.size === 0) return 0;
  return connected(databaseUrl, async (client) => {
    const buyers = new Map<string, Date>();
    let last = "00000000-0000-0000-0000-000000000000";
    for (;;) {
      const { rows } = await client.query<{ id: string; email: string; at: Date; emptied: Date | null }>(
        `select id, customer_email as email, greatest(created_at, completed_at) as at, emptied_at as emptied from sales
        where id > $1 and customer_email is not null order by id limit 10000`,
        [last],
      );
      for (const { id, email, at, emptied } of rows) {
        const erasedAt = fingerprints(secrets, id)
          .map((one) => known.get(one))
          .find(Boolean);
        // One that was emptied already when the copy was made was given an address anew since.
        if (!erasedAt || (emptied && emptied >= new Date(erasedAt))) continue;
        if (!(buyers.get(email)! > at)) buyers.set(email, at);
      }
      if (rows.length === 0) break;
      last = rows.at(-1)!.id;
    }
    // What they ordered after the last that was emptied stays.
    for (const [email, at] of buyers)
      await client.query(
        `insert into erasures (email, asked_at) values ($1, $2)
        on conflict (email) do update set asked_at = greatest(erasures.asked_at, excluded.asked_at)`,
        [email, at],
      );
    return buyers.size;
  });
}

/** The fingerprints in a list, with when; none where there is no such file. @throws Error where it is something else */
async function readErased(file: string): Promise<Map<string, string>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return HEAD;
    throw error;
  });
  const [head, ...lines] = text.split("\n");
  if (head !== HEAD) throw new Error(`${file} não é uma lista de compras apagadas desta plataforma.`);
  return new Map(lines.filter(Boolean).map((line) => line.split(" ") as [string, string]));
}

async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
