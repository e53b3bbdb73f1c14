import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { scheduleReconciliation } from "#app/domain/reconciliation/schedule-reconciliation.server.ts";
import {
  claimStatements,
  statementQueue,
} from "#app/domain/reconciliation/statement/statement-queue.server.ts";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { addDays, dayOf } from "#app/kit/dates.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { buyAt, checkAgain, openShopAt } from "#tests/integration/providers/support.ts";
import { monthAt } from "#tests/integration/reconciliation/support.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";

/** Has no statement due: those of other shops would be read, too. */
export async function clearStatements(): Promise<void> {
  await sql`delete from statements`;
  await sql`delete from paced_checks`;
}

/** Takes one step of each due statement, as a worker. @returns how many there were */
export async function workOnce(): Promise<number> {
  const claimed = await claimStatements(10);
  for (const one of claimed) await statementQueue.handle(one);
  return claimed.length;
}

/** Lets the pauses of statements that wait pass. */
export async function passPauses(): Promise<void> {
  await sql`update statements set next_attempt_at = now() where next_attempt_at is not null`;
}

/** Works until each statement is read, for as many steps as the usual way takes. */
export async function workUntilRead(): Promise<void> {
  for (let step = 0; step < 6; step++) {
    await workOnce();
    await passPauses();
  }
}

/** Makes a day's statement of an account due. */
export async function dueStatement(sellerId: string, day: string, provider = "mercadopago"): Promise<void> {
  await sql`insert into statements (seller_id, provider, day, next_attempt_at) values (${sellerId}, ${provider}, ${day}, now())
    on conflict (seller_id, provider, day) do update set next_attempt_at = now(), task_id = null, requested_at = null`;
}

/** The days beside one count as read: a payment at midnight is missing in the statements of both. */
export async function neighboursRead(sellerId: string, day: string): Promise<void> {
  for (const other of [addDays(day, -1), addDays(day, 1)])
    await sql`insert into statements (seller_id, provider, day, key_id, read_at)
      select seller_id, provider, ${other}, key_id, now() from gateway_accounts where seller_id = ${sellerId} on conflict do nothing`;
}

/** A shop at a provider with statements, with so many booked payments of R$ 97,00. */
export async function shopWithStatement(rig: Rig, sandbox: SandboxControl, payments: number) {
  const shop = await openShopAt(rig);
  const sellerId = shop.seller.id;
  const paid: { chargeId: string; saleId: string; providerId: string; reference: string }[] = [];
  const buy = async () => {
    const { chargeId, saleId, providerId, charge } = await buyAt(shop.product.id);
    return { chargeId, saleId, providerId, reference: charge.reference as string };
  };
  for (let at = 0; at < payments; at++) {
    const bought = await buy();
    await sandbox.pay(bought.providerId);
    await checkAgain(bought.chargeId);
    paid.push(bought);
  }
  const day = dayOf(new Date());
  const now = new Date();
  return {
    ...{ ...shop, paid, buy, day },
    /** Reads the day's statement. */
    async readStatement() {
      await dueStatement(sellerId, day);
      await neighboursRead(sellerId, day);
      await workUntilRead();
    },
    async read() {
      const { days, differences } = await monthAt(sellerId, now);
      const found = days.find((one) => one.day === day)!;
      return { ...found, kinds: differences.map(({ kind }) => kind), listed: differences };
    },
    press: () => scheduleReconciliation(sellerId, readReconciledDays(new URLSearchParams(), now)),
    async statement() {
      const [row] = await sql`select *, extract(epoch from next_attempt_at - now())::float8 / 3600 as hours
        from statements where seller_id = ${sellerId} and day = ${day}`;
      return row!;
    },
    lines: () =>
      sql`select kind, amount_cents as amount, fee_cents as fee, source_id as source, charge_id as charge from statement_lines
        where seller_id = ${sellerId} order by at, amount_cents desc`,
    fees: (chargeId: string) =>
      sql`select c.fee_cents as charge, s.fee_cents as sale from charges c inner join sales s on s.id = c.sale_id
        where c.id = ${chargeId}`.then(([row]) => row),
  };
}

/** Makes the checks that are due now, as if the provider's gate had opened. @returns of which charges */
export async function workOnChecks(): Promise<string[]> {
  const checked: string[] = [];
  await sql`update charges set last_checked_at = null`;
  // What is found now was booked a while ago.
  await sql`update charges set paid_at = paid_at - interval '10 seconds' where paid_at is not null`;
  for (;;) {
    await sql`update gateway_accounts set next_paced_check_at = now()`;
    const claimed = await claimPacedChecks(10);
    if (claimed.length === 0) return checked;
    for (const check of claimed) await pacedCheckQueue.handle(check);
    checked.push(...claimed.map(({ chargeId }) => chargeId));
  }
}
