import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { from } from "pg-copy-streams";
import { migrate } from "#app/db/migrate.server.ts";
import { firstMigration, newestMigration } from "#app/db/newest-migration.server.ts";
import { CHECK_DOMAIN, CONNECT_RESEND, MAIL_BY_PLATFORM } from "#app/queue/names.ts";
import { connected } from "#scripts/backup/connected.ts";
import { eraseAgain } from "#scripts/backup/erased-list.ts";
import { END, fingerprint, type Head, JOBS, type TableHead, type Tail } from "#scripts/backup/format.ts";
import { convertOldTables, isOld, makeOldTables } from "#scripts/restore-old/old-backup.ts";

/** An expected refusal, in Portuguese. */
export class CannotRestore extends Error {}

/** The result of a restore. */
export type Restored = {
  rows: number;
  madeAt: string;
  mailsEnded: number;
  deliveriesEnded: number;
  erased: number;
};

const RESTORED_ERROR = "Restaurado de uma cópia de segurança: pode já ter sido enviado.";

/**
 * Fills an empty database from a backup, in one transaction. Deliveries and mails that were pending when the backup was
 * made may have been sent since: they are not sent again, are listed as failed, and can be resent from there. Sessions and
 * mailed links for signing in may have been ended since: they end. Payments received meanwhile are found by the sweeper, which
 * checks the charges with the provider, and so is what was refunded or disputed.
 * @param erasures what `readErased` read: who was anonymized since, or asked for it, and is due for it once anything is filled
 * @throws CannotRestore if the database is not empty or has the tables of a version newer than the file's, or the file is
 * truncated, of a newer version, or encrypted with another secret; only the tables have been created then
 */
export async function readBackup(
  databaseUrl: string,
  secrets: string[],
  file: string,
  erasures: Map<string, string>,
): Promise<Restored> {
  const text = lines(file);
  const head = await readHead(text);
  if (head.migration > newestMigration())
    throw new CannotRestore(
      "A cópia é de uma versão mais nova. Restaure com aquela versão, ou atualize antes.",
    );
  const fromOld = isOld(head.migration);
  if (!fromOld && head.migration < firstMigration())
    throw new CannotRestore("A cópia é de um estado do código que nenhuma versão restaura.");
  const ours = secrets.map(fingerprint);
  if (![head.secret, head.otherSecret ?? head.secret].every((one) => ours.includes(one)))
    throw new CannotRestore(
      "A cópia foi feita com outro APP_SECRET: as chaves dos vendedores não poderiam ser lidas. Use aquele segredo, ou ponha-o em APP_SECRET_OLD.",
    );
  if (!fromOld) await migrate({ upTo: head.migration });
  return connected(databaseUrl, async (client) => {
    await client.query("begin");
    if (fromOld) {
      await refuseTables(client);
      await makeOldTables(databaseUrl, client, head.migration);
    } else {
      await refuseFull(client);
      await refuseNewer(client, head.migration);
    }
    const rows = await fill(client, text);
    if (fromOld) await convertOldTables(client, head.migration);
    await skipNumbers(client);
    await checkSoon(client, head.madeAt);
    const ended = await endPendingWork(client);
    await endSessions(client);
    const erased = await eraseAgain(client, secrets, erasures);
    await client.query("commit");
    await migrate();
    await client.query("analyze");
    return { rows, madeAt: head.madeAt, ...ended, erased };
  });
}

async function readHead(text: AsyncGenerator<Buffer>): Promise<Head> {
  const first = await next(text);
  try {
    const head = JSON.parse(first) as Head;
    if (head.format === "checkintelli-backup" && head.version === 1) return head;
  } catch {
    // Reported below.
  }
  throw new CannotRestore("O arquivo não é uma cópia de segurança desta plataforma.");
}

async function refuseFull(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ full: boolean }>("select exists (select from sellers) as full");
  if (rows[0]!.full) throw new CannotRestore(FULL);
}

/** Migrations that have run on empty tables do not run again: they would never see the rows of the backup. */
async function refuseNewer(client: pg.Client, migration: number): Promise<void> {
  const { rows } = await client.query<{ at: string }>(
    "select max(created_at) as at from drizzle.__drizzle_migrations",
  );
  if (Number(rows[0]!.at) > migration)
    throw new CannotRestore(
      "A cópia é de uma versão anterior à das tabelas que o banco de dados de destino já tem. Restaure em um banco novo; nada foi mudado.",
    );
}

/** The tables of an old backup are created anew: they cannot coexist with others, not even empty ones. */
async function refuseTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' limit 1",
  );
  if (rows.length > 0) throw new CannotRestore(FULL);
}

const FULL =
  "O banco de dados de destino não está vazio, talvez por causa de uma restauração interrompida. Restaure em um banco novo; nada foi mudado.";

/** @returns the number of rows */
async function fill(client: pg.Client, text: AsyncGenerator<Buffer>): Promise<number> {
  let rows = 0;
  for (;;) {
    const head = JSON.parse(await next(text)) as TableHead | Tail;
    if (!("table" in head)) {
      if (head.rows !== rows) throw new CannotRestore("A cópia não está inteira: faltam linhas.");
      return rows;
    }
    rows += head.table === JOBS ? await queue(client, head, text) : await load(client, head, text);
  }
}

async function load(
  client: pg.Client,
  { table, columns }: TableHead,
  text: AsyncGenerator<Buffer>,
): Promise<number> {
  // The effects of a row's triggers are already in the backup.
  await client.query(`alter table "${table}" disable trigger user`);
  const rows = await copy(client, `"${table}" (${columns.map((name) => `"${name}"`).join(", ")})`, text);
  await client.query(`alter table "${table}" enable trigger user`);
  const numbered = await client.query<{ column: string }>(
    `select attname as column from pg_attribute
    where attrelid = $1::regclass and attidentity <> '' and not attisdropped`,
    [`public."${table}"`],
  );
  for (const { column } of numbered.rows)
    await client.query(`select setval(pg_get_serial_sequence('"${table}"', '${column}'), max("${column}"))
      from "${table}" having max("${column}") is not null`);
  return rows;
}

/** @returns the number of rows */
async function copy(client: pg.Client, target: string, text: AsyncGenerator<Buffer>): Promise<number> {
  let rows = 0;
  const counted = async function* () {
    for await (const line of rowsOf(text)) {
      rows++;
      yield line;
    }
  };
  const into = client.query(from(`copy ${target} from stdin`));
  await pipeline(Readable.from(counted(), { objectMode: false }), into);
  return rows;
}

/**
 * Queues only jobs that fetch or check: recipients of the others may have been notified already. Jobs that are left out are
 * queued again by their schedule where they still matter, except what tells buyers of a shop that was just closed, or reopened,
 * until when they can get what they bought: twice is better than never.
 */
async function queue(
  client: pg.Client,
  { columns }: TableHead,
  text: AsyncGenerator<Buffer>,
): Promise<number> {
  await client.query(`create temporary table waiting_jobs
    (task text, payload json, run_at timestamptz, max_attempts int, key text, priority int) on commit drop`);
  const rows = await copy(client, `waiting_jobs (${columns.join(", ")})`, text);
  const named = [CHECK_DOMAIN, CONNECT_RESEND, MAIL_BY_PLATFORM].map(({ name }) => name);
  const kept = [...named, "look-up-dispute", "mail-closing", "mail-reopening"];
  await client.query(
    `select graphile_worker.add_job(task, payload, run_at => run_at, max_attempts => max_attempts,
      job_key => key, priority => priority)
    from waiting_jobs where task = any ($1)`,
    [kept],
  );
  return rows;
}

/** Whose numbers are in links, and how many may have been given since the backup. */
const IN_LINKS = ["products", "order_bumps", "upsells"];
const NUMBERS_SKIPPED = 10_000;

/** Ads and pages lead to what was created after the backup and is lost: its numbers must not become another seller's. */
async function skipNumbers(client: pg.Client): Promise<void> {
  for (const table of IN_LINKS)
    await client.query(
      `select setval(pg_get_serial_sequence($1, 'id'),
        greatest(nextval(pg_get_serial_sequence($1, 'id')), (select max(id) from "${table}")) + $2)`,
      [table, NUMBERS_SKIPPED],
    );
}

/**
 * Makes checks due of every charge that may have been paid since the backup, of every refund under way, and of every payment that
 * may have been refunded or disputed since. These go at the pace of their account, the newest payment first.
 */
async function checkSoon(client: pg.Client, madeAt: string): Promise<void> {
  await client.query(
    `update charges c set next_check_at = date_trunc('milliseconds', now())
    where (c.status not in ('paid', 'mispaid') and c.next_check_at is not null)
      or (c.status in ('open', 'unknown', 'in_review', 'expired', 'cancelled') and c.created_at > $1::timestamptz - interval '3 days')
      or exists (select from refunds r where r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'pending')`,
    [madeAt],
  );
  // Those in the future would be due within hours or days, and a part that went back meanwhile could be refunded again.
  await client.query(
    `update paced_checks p set scheduled_at = date_trunc('milliseconds', now()) + o.nth * interval '1 millisecond'
    from (
      select d.seller_id, d.charge_id,
        row_number() over (partition by d.seller_id, d.provider order by c.paid_at desc nulls last) as nth
      from paced_checks d inner join charges c on c.id = d.charge_id
    ) o where p.seller_id = o.seller_id and p.charge_id = o.charge_id`,
  );
  await client.query("update gateway_accounts set next_paced_check_at = now()");
}

async function endPendingWork(client: pg.Client): Promise<{ mailsEnded: number; deliveriesEnded: number }> {
  await client.query("delete from queued_mails where scheduled_at is not null");
  const mails = await client.query(
    "update mails set status = 'failed', failed_at = now(), error = $1 where status = 'attempting'",
    [RESTORED_ERROR],
  );
  await client.query("delete from reminders where scheduled_at <= now()");
  const deliveries = await client.query(
    `update deliveries set reason = 'restored', leased_until = null, next_attempt_at = null,
      status = case when attempts = 0 and attempt_log @> '[{"result": "taken"}]' then 'sent' else 'dropped' end
    where status = 'queued'`,
  );
  return { mailsEnded: mails.rowCount ?? 0, deliveriesEnded: deliveries.rowCount ?? 0 };
}

/** Whoever had one of these ended since the backup must not find it open again; everybody else signs in or asks for a link. */
async function endSessions(client: pg.Client): Promise<void> {
  for (const table of ["sessions", "buyer_sessions", "email_tokens", "held_forms"])
    await client.query(`delete from "${table}"`);
}

/** A table's rows, each with its line ending. */
async function* rowsOf(text: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await text.next();
    if (done) throw cut();
    if (value.length === END.length && value.toString("latin1") === END) return;
    yield Buffer.concat([value, LINE_END]);
  }
}

const LINE_END = Buffer.from("\n");

async function next(text: AsyncGenerator<Buffer>): Promise<string> {
  const { value, done } = await text.next();
  if (done) throw cut();
  return value.toString("utf8");
}

function cut(): CannotRestore {
  return new CannotRestore("A cópia não está inteira: o arquivo termina antes do fim.");
}

/** The file's lines, without line endings. */
async function* lines(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on("error", (error) => text.destroy(error));
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        const line = chunk.subarray(from, at);
        yield rest.length > 0 ? Buffer.concat([rest, line]) : line;
        rest = Buffer.alloc(0);
        from = at + 1;
      }
      rest = Buffer.concat([rest, chunk.subarray(from)]);
    }
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT") throw new CannotRestore(`Não há arquivo ${file}.`);
    if (code?.startsWith("Z_")) throw cut();
    throw error;
  }
}
