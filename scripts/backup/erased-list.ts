import { createHmac, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type pg from "pg";
import { CLOSED_DOMAIN } from "#app/domain/mail/queue/closed-address.ts";
import { connected } from "#scripts/backup/connected.ts";
import { writeWhole } from "#scripts/backup/write-whole.ts";

/**
 * Which purchases were anonymized, or are covered by an erasure request that waits, since a backup was made: one line each,
 * with the sale's fingerprint and the time of either. It names nobody and grants access to nothing. It is stored beside the
 * backups, which still contain the people anonymized since, and know nothing of later requests.
 */
const HEAD = "checkintelli-erased 1";
const ENTRY = /^[\w-]{43} \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Older entries are in no backup that may still be kept. Days. */
const RETENTION_DAYS = 60;

/** The list of a backup, unless another one is named. */
export const listBeside = (backup: string) => join(dirname(backup), "erased.list");

/** What an entry's time is: when its sale was anonymized, or when the buyer asked for that. */
type EntryKind = "erased" | "requested";

function fingerprints(secrets: string[], kind: EntryKind, saleId: string): string[] {
  return secrets.map((secret) =>
    createHmac("sha256", secret).update(`checkintelli-${kind}:${saleId}`).digest("base64url"),
  );
}

/** As `emailSince` of the app: since when a sale `s` has had its buyer's e-mail. */
const EMAIL_SINCE = `greatest(s.created_at, s.anonymized_at, s.email_corrected_at, (
  select max(v.at) from sale_events v
  where v.seller_id = s.seller_id and v.sale_id = s.id and v.kind = 'customer_edited' and v.data ? 'given'))`;

/**
 * Adds all sales anonymized so far to the list, and those of erasure requests that wait. Existing entries stay: a restored
 * database knows fewer.
 * @returns the number of entries
 */
export async function writeErased(databaseUrl: string, secrets: string[], file: string): Promise<number> {
  const known = (await readErased(file)) ?? new Map<string, string>();
  const since = new Date(Date.now() - RETENTION_DAYS * 24 * 3_600_000).toISOString();
  const { rows } = await connected(databaseUrl, (client) =>
    client.query<{ id: string; kind: EntryKind; at: Date }>(
      `select id, 'erased' as kind, anonymized_at as at from sales where anonymized_as is not null and anonymized_at > $1
        union all
        select s.id, 'requested', e.requested_at from erasures e inner join sales s on s.customer_email = e.email
          and ${EMAIL_SINCE} <= e.requested_at`,
      [since],
    ),
  );
  for (const { id, kind, at } of rows) {
    const printOf = (each: EntryKind) => fingerprints(secrets.slice(0, 1), each, id)[0]!;
    // In a restored database requests wait again whose sales are in the list as anonymized.
    const isDone = kind === "requested" && known.get(printOf("erased"))! >= at.toISOString();
    if (!isDone) known.set(printOf(kind), at.toISOString());
  }
  const lines = [...known].filter(([, at]) => at > since).map(([print, at]) => `${print} ${at}`);
  // A backup and `npm run erased` may write it at once.
  const text = [HEAD, ...lines, ""].join("\n");
  await writeWhole(file, (part) => writeFile(part, text, { mode: 0o600, flush: true }));
  return lines.length;
}

/**
 * Marks those anonymized since the backup as due for anonymization again, and those who asked for it; a worker does it.
 * @param known what `readErased` read @returns the number of buyers
 */
export async function eraseAgain(
  client: pg.Client,
  secrets: string[],
  known: Map<string, string>,
): Promise<number> {
  if (known.size === 0) return 0;
  const buyers = new Map<string, ListedBuyer>();
  const add = (email: string, saleId: string, at: Date) => {
    const buyer = buyers.get(email) ?? { at, saleIds: new Set<string>() };
    buyers.set(email, { at: buyer.at > at ? buyer.at : at, saleIds: buyer.saleIds.add(saleId) });
  };
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    // A sale that was anonymized unpaid and named its buyer again was ordered after its anonymization.
    const { rows } = await client.query<{ id: string; email: string; at: Date; anonymized: Date | null }>(
      `select id, customer_email as email, ${EMAIL_SINCE} as at, anonymized_at as anonymized from sales s
        where id > $1 and customer_email is not null order by id limit 10000`,
      [last],
    );
    for (const { id, email, at, anonymized } of rows) {
      const timeOf = (kind: EntryKind) => {
        const print = fingerprints(secrets, kind, id).find((one) => known.has(one));
        return print ? new Date(known.get(print)!) : null;
      };
      const [erasedAt, requestedAt] = [timeOf("erased"), timeOf("requested")];
      // A sale that was already anonymized in the backup and got a new address since is not changed.
      if (erasedAt && !(anonymized && anonymized >= erasedAt)) add(email, id, at);
      // Unlike the sale's own time, that of the request also says how long an unfinished sale is waited for.
      if (requestedAt && at <= requestedAt) add(email, id, requestedAt);
    }
    if (rows.length === 0) break;
    last = rows.at(-1)!.id;
  }
  // Orders placed after the last anonymized one stay, also those placed before it was paid.
  for (const [email, buyer] of buyers)
    await client.query(
      `insert into erasures (email, requested_at) values ($1, $2)
        on conflict (email) do update set requested_at = greatest(erasures.requested_at, excluded.requested_at)`,
      [await setApart(client, email, buyer), buyer.at],
    );
  return buyers.size;
}

/** The sales in a list that have one address in the backup, and until when a request of it covers its sales. */
type ListedBuyer = { at: Date; saleIds: Set<string> };

/**
 * Gives listed sales an address of their own where a request of theirs would also cover sales that nobody asked to erase: the
 * e-mail of some was corrected after the backup, which still has the old one. Unpaid orders of more than 30 days end by their age
 * anyway, and are in no list.
 * @returns the address to be erased
 */
async function setApart(client: pg.Client, email: string, { at, saleIds }: ListedBuyer): Promise<string> {
  const listed = [...saleIds];
  const { rows } = await client.query(
    `select from sales s where customer_email = $1 and ${EMAIL_SINCE} <= $2
      and id <> all ($3::uuid[]) and (completed_at is not null or created_at > now() - interval '30 days') limit 1`,
    [email, at, listed],
  );
  if (rows.length === 0) return email;
  const ownAddress = `apagada-${randomUUID()}@${CLOSED_DOMAIN}`;
  await client.query("update sales set customer_email = $1 where id = any ($2::uuid[])", [
    ownAddress,
    listed,
  ]);
  return ownAddress;
}

/**
 * The fingerprints in a list, with their times; null if there is no such file.
 * @throws Error in Portuguese if it is another kind of file, or damaged
 */
export async function readErased(file: string): Promise<Map<string, string> | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const [head, ...lines] = text.split("\n");
  if (head !== HEAD) throw new Error(`${file} não é uma lista de compras apagadas desta plataforma.`);
  // Each line ends with a line break: a missing one means that the end of the file is missing.
  if (lines.pop() !== "" || !lines.every((line) => ENTRY.test(line)))
    throw new Error(`A lista de compras apagadas ${file} não está inteira: use uma cópia inteira dela.`);
  return new Map(lines.map((line) => line.split(" ") as [string, string]));
}
