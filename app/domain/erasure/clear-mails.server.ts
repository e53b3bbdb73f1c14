import { type SQL, sql } from "drizzle-orm";
import { Statement } from "#app/db/statement.server.ts";

/** Clears the address of a mail `m`; the key of a closing's mail ends with a keyed hash of it (`mail-closing.server.ts`). */
export const NO_RECIPIENT = sql`recipient = '', idempotency_key = case
  when m.kind in ('shop-closed', 'shop-reopened') then m.kind || '/' || m.id else m.idempotency_key end`;

/**
 * The statement that clears mails, so that nothing of their content is left. Those that wait fail. Rows are locked in the
 * order of their ids, those of the queue first.
 * @param from which mails: the tables, `mails` as `m`, and the condition
 * @param more what else is set
 */
export function clearMailsSql(from: SQL, more: SQL): SQL {
  const statement = new Statement();
  const cleared = statement.add<"id">("cleared", sql`select m.id from ${from}`, "materialized");
  const ids = sql`any(array(select id from ${cleared}))`;
  const queued = statement.add<"id">(
    "queued",
    sql`select id from queued_mails where id = ${ids} order by id for update`,
    "materialized",
  );
  statement.add("unqueued", sql`delete from queued_mails where id = any(array(select id from ${queued}))`);
  const locked = statement.add<"id">(
    "locked",
    sql`select id from mails where id = ${ids} and (select count(*) from ${queued}) >= 0 order by id for no key update`,
    "materialized",
  );
  statement.add(
    "emptied",
    sql`update mails m set subject = null, ${more},
        status = case m.status when 'attempting' then 'failed' else m.status end,
        failed_at = case m.status when 'attempting' then now() else m.failed_at end
      from ${locked} where m.id = ${ids} and m.id = ${locked}.id`,
  );
  return statement.select();
}
