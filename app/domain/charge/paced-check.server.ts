import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { charges, pacedChecks } from "#app/db/schema/payments.server.ts";
import type { Cte, Statement } from "#app/db/statement.server.ts";
import { DAY, HOUR, SECOND } from "#app/kit/duration.ts";

/** A PIX may be given back, or contested, for so long after it was paid. Source: contracts.md 4.6. */
const MONEY_MAY_RETURN = 90 * DAY;

/**
 * Pauses between checks of a paid charge, by its age: a refund without a webhook is found within 24 hours, 3 days, 7 days.
 * Somewhere between `least` and `most`, so that what was paid in one rush is not checked in one; below the promise by what a
 * backlog may take.
 */
const PAUSES = [
  { until: 7 * DAY, least: 18 * HOUR, most: 22 * HOUR },
  { until: 30 * DAY, least: 60 * HOUR, most: 68 * HOUR },
  { until: MONEY_MAY_RETURN, least: 144 * HOUR, most: 160 * HOUR },
];

/** While it is contested: the decision is found within this. */
const DISPUTED_EVERY = 6 * HOUR;

const seconds = (ms: number) => sql`make_interval(secs => ${ms / SECOND})`;

/** When a charge that was paid at this moment is checked next, by the database's clock. */
export function nextPacedCheck(paidAt: SQL): SQL {
  const pauses = PAUSES.map(
    ({ until, least, most }) =>
      sql`when now() < ${paidAt} + ${seconds(until)} then ${seconds(least)} + random() * ${seconds(most - least)}`,
  );
  return sql`least(${paidAt} + ${seconds(MONEY_MAY_RETURN)}, now() + case ${sql.join(pauses, sql` `)} else ${seconds(0)} end)`;
}

/** Whether money that was paid at this moment can no longer come back by itself. */
export function isPastReturn(paidAt: SQL): SQL<boolean> {
  return sql<boolean>`${paidAt} + ${seconds(MONEY_MAY_RETURN)} <= now()`;
}

/** Whether the payment of a charge `c` is contested: it is checked until that is decided, however old it is. */
export const isDisputed = sql<boolean>`coalesce((
  select true from disputes d where d.sale_id = c.sale_id and d.status = 'open' and d.charge_id = c.id), false)`;

/** When a contested payment is checked next. */
export const nextDisputedCheck = sql`now() + ${seconds(DISPUTED_EVERY)}`;

/** Has a payment checked soon that is contested from now on. */
export async function scheduleDisputedCheck(tx: Tx, chargeId: string): Promise<void> {
  await tx.execute(sql`
    insert into ${pacedChecks} (charge_id, seller_id, provider, due_at)
    select c.id, c.seller_id, c.provider, ${nextDisputedCheck} from ${charges} c
    where c.id = ${chargeId}
    on conflict (charge_id) do update set due_at = least(paced_checks.due_at, excluded.due_at)`);
}

/** Adds to a statement that a charge which is paid just now is checked from now on. */
export function addPacedCheck(statement: Statement, moved: Cte<"id" | "seller_id" | "provider">): void {
  statement.add(
    "scheduled",
    sql`insert into ${pacedChecks} (charge_id, seller_id, provider, due_at)
      select m.id, m.seller_id, m.provider, ${nextPacedCheck(sql`now()`)} from ${moved} m
      on conflict (charge_id) do nothing`,
  );
}
